// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula completion: what shells need to complete calls, from the tables of verbs and options.
#include <stdlib.h>
#include <string.h>

#include "base/named.h"
#include "command.h"


// the words that a value may be; 0 when there are none
static int print_option_choices(const cliOption *option)
{
  for (int k = 0; option->word && option->word(k); k++) {
    printf("%s%s", k ? " " : "", option->word(k));
  }
  return option->word != NULL;
}


// options whose values are words, each once, as verbs share them; `before` and `after` stand around the words
static void print_option_values(const char *before, const char *after)
{
  const char *seen[64];
  int n = 0;
  for (int v = 0; cli_verb_at(v); v++) {
    const cliOption *option;
    for (int i = 0; (option = cli_option_at(cli_verb_at(v), i)); i++) {
      int is_new = option->word != NULL && n < 64;
      for (int k = 0; k < n; k++) is_new = is_new && strcmp(seen[k], option->name) != 0;
      if (!is_new) continue;
      seen[n++] = option->name;
      printf("  --%s) %s", option->name, before);
      print_option_choices(option);
      printf("%s\n", after);
    }
  }
}


static void print_options(const char *before, const char *after)
{
  for (int v = 0; cli_verb_at(v); v++) {
    printf("    %s) %s", cli_verb_at(v)->name, before);
    const cliOption *option;
    for (int i = 0; (option = cli_option_at(cli_verb_at(v), i)); i++) {
      printf("%s--%s", i ? " " : "", option->name);
    }
    printf("%s\n", after);
  }
}


// options whose values are files or directories, between bars
static void print_file_options(const char *after)
{
  static const char *const values[] = {"FILE", "DIR", "RESULT"};
  const char *seen[64];
  int n = 0;
  fputs("  -o", stdout);
  for (int v = 0; cli_verb_at(v); v++) {
    const cliOption *option;
    for (int i = 0; (option = cli_option_at(cli_verb_at(v), i)); i++) {
      bool is_file = false, is_new = n < 64;
      for (int k = 0; k < 3 && option->value; k++) is_file |= !strcmp(option->value, values[k]);
      for (int k = 0; k < n; k++) is_new = is_new && strcmp(seen[k], option->name) != 0;
      if (!is_file || !is_new) continue;
      seen[n++] = option->name;
      printf("|--%s", option->name);
    }
  }
  printf(") %s\n", after);
}


// the verbs whose operand begins so, between bars
static void print_verbs_of(const char *operand)
{
  int n = 0;
  for (int v = 0; cli_verb_at(v); v++) {
    if (strncmp(cli_verb_at(v)->operand, operand, strlen(operand)) != 0) continue;
    printf("%s%s", n++ ? "|" : "", cli_verb_at(v)->name);
  }
}


//---- bash ----------------------------------------------------------------------------------------

// Channels of a result, one a line: text from a file, which may say $(reboot). No shell may expand it, so it never
// becomes an argument of compgen -W, of eval, or a list without quotes. Names with blanks are left out.
#define PRINT_CHANNELS " 2> /dev/null | sed -nE 's/^  ([^ ]+) ( .*|[^ ]*)$/\\1/p'"

// models end with .yaml or .yml, results are directories or tables; after the result of plot and report come
// its channels
static void print_bash_operands(void)
{
  fputs("  case ${COMP_WORDS[1]} in\n    ", stdout);
  print_verbs_of("FILE");
  puts(") mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- \"$cur\";\n"
       "      compgen -f -X '!*.yml' -- \"$cur\"; compgen -d -- \"$cur\") ;;");
  puts("    plot|report)\n"
       "      if [ \"$COMP_CWORD\" -gt 2 ]; then\n"
       "        while IFS= read -r word; do\n"
       "          [[ $word == \"$cur\"* ]] && COMPREPLY+=(\"$word\")\n"
       "        done < <(articula plot \"${COMP_WORDS[2]}\"" PRINT_CHANNELS ")\n"
       "      else\n"
       "        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\"; compgen -f -X '!*.csv' -- "
       "\"$cur\")\n"
       "      fi ;;");
  puts("    completion) mapfile -t COMPREPLY < <(compgen -W 'bash zsh fish' -- \"$cur\") ;;\n"
       "    bench) ;;\n"
       "    *) mapfile -t COMPREPLY < <(compgen -d -- \"$cur\") ;;\n  esac");
}


static void print_bash(void)
{
  puts("# bash completion of articula\n"
       "_articula() {\n"
       "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words= word=\n"
       "  COMPREPLY=()\n"
       "  # --method=rk4 comes as three words\n"
       "  if [ \"$cur\" = = ]; then cur=; fi\n"
       "  if [ \"$prev\" = = ]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
       "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$prev\" = help ]; then");
  fputs("    mapfile -t COMPREPLY < <(compgen -W \"", stdout);
  for (int i = 0; cli_verb_at(i); i++) printf("%s ", cli_verb_at(i)->name);
  fputs("help", stdout);
  puts("\" -- \"$cur\")\n    return\n  fi\n  case $prev in");
  print_option_values("mapfile -t COMPREPLY < <(compgen -W \"", "\" -- \"$cur\"); return ;;");
  print_file_options("mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;");
  puts("  esac\n  if [ \"${cur:0:1}\" = - ]; then\n    case ${COMP_WORDS[1]} in");
  print_options("words=\"", "\" ;;");
  puts("    esac\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n    return\n  "
       "fi");
  print_bash_operands();
  puts("}\ncomplete -o filenames -F _articula articula");
}


//---- zsh -----------------------------------------------------------------------------------------

// a text in single quotes
static void print_quoted(const char *text, const char *quote)
{
  putchar('\'');
  for (; *text; text++) {
    if (*text == '\'') {
      fputs(quote, stdout);
    } else {
      putchar(*text);
    }
  }
  putchar('\'');
}


// serves both as a file of $fpath and by `source`
static void print_zsh(void)
{
  puts("#compdef articula\n_articula() {\n  local channels");
  puts("  if (( CURRENT == 2 )) || [[ ${words[2]} == help ]]; then\n    local -a verbs=(");
  for (int v = 0; cli_verb_at(v); v++) {
    printf("      %s:", cli_verb_at(v)->name);
    print_quoted(cli_verb_at(v)->summary, "'\\''");
    putchar('\n');
  }
  puts("      help:'options and an example of a verb'\n    )\n    _describe verb verbs\n    "
       "return\n  fi");
  puts("  case ${words[CURRENT-1]} in");
  print_option_values("compadd ", "; return ;;");
  print_file_options("_files; return ;;");
  puts("  esac\n"
       "  if [[ ${words[CURRENT]} == -* ]]; then\n    case ${words[2]} in");
  print_options("compadd -- ", " ;;");
  fputs("    esac\n    return\n  fi\n  case ${words[2]} in\n    ", stdout);
  print_verbs_of("FILE");
  puts(") _files -g '*.(yaml|yml)' ;;\n"
       "    plot|report)\n"
       "      if (( CURRENT > 3 )); then\n"
       "        channels=$(articula plot ${words[3]}" PRINT_CHANNELS ")\n"
       "        compadd -- ${(f)channels}\n"
       "      else\n"
       "        _files -g '*.csv'\n"
       "      fi ;;\n"
       "    completion) compadd bash zsh fish ;;\n"
       "    bench) ;;\n"
       "    *) _files -/ ;;\n"
       "  esac\n}\n"
       "if [[ ${funcstack[1]} == _articula ]]; then _articula \"$@\"; else compdef _articula "
       "articula; fi");
}


//---- fish ----------------------------------------------------------------------------------------

static void print_fish(void)
{
  puts("complete -c articula -f -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'");
  puts("complete -c articula -n '__fish_seen_subcommand_from plot report' -a "
       "'(articula plot (commandline -opc)[3] 2> /dev/null | sed -nE "
       "\\'s/^  ([^ ]+) ( .*|[^ ]*)$/\\\\1/p\\')'");
  for (int v = 0; cli_verb_at(v); v++) {
    const cliVerb *verb = cli_verb_at(v);
    printf("complete -c articula -n __fish_use_subcommand -a %s -d ", verb->name);
    print_quoted(verb->summary, "\\'");
    putchar('\n');
    const cliOption *option;
    for (int i = 0; (option = cli_option_at(verb, i)); i++) {
      printf("complete -c articula -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
             option->name);
      if (option->letter) printf(" -s %c", option->letter);
      if (option->value) fputs(" -r", stdout);
      if (option->word) {
        fputs(" -f -a '", stdout);
        print_option_choices(option);
        putchar('\'');
      }
      char *help = NULL;
      size_t length = 0;
      FILE *text = open_memstream(&help, &length);
      if (text) cli_print_help(text, option, -1);
      fputs(" -d ", stdout);
      if (text && fclose(text) == 0) print_quoted(help, "\\'");
      free(help);
      putchar('\n');
    }
  }
}


void verb_completion(cliWork *w)
{
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  const int found = NAMED_FIND(shells, w->call->file);
  if (found < 0)
    cli_leave("'%.60s' is not a shell that is known; there is bash, zsh, fish", w->call->file);
  shells[found].print();
}
