// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// articula completion: what shells need to complete calls, from the tables of verbs and options.
#include <string.h>

#include "base/error.h"
#include "command.h"


static void print_verbs(void)
{
  for (int i = 0; cli_verb_at(i); i++) printf("%s ", cli_verb_at(i)->name);
  fputs("help", stdout);
}


// the words that a value may be; 0 when there are none
static int print_choices(const cliOptionInfo *option)
{
  for (int k = 0; option->choice && option->choice(k); k++) {
    printf("%s%s", k ? " " : "", option->choice(k));
  }
  return option->choice != NULL;
}


//---- bash, and zsh by its own bridge -------------------------------------------------------------

// options whose values are words, each once: the verbs share them
static void print_bash_values(void)
{
  const char *seen[64];
  int n = 0;
  for (int v = 0; cli_verb_at(v); v++) {
    cliOptionInfo option;
    for (int i = 0; cli_option_at(cli_verb_at(v), i, &option); i++) {
      int is_new = option.choice != NULL && n < 64;
      for (int k = 0; k < n; k++) is_new = is_new && strcmp(seen[k], option.name) != 0;
      if (!is_new) continue;
      seen[n++] = option.name;
      printf("  --%s) COMPREPLY=($(compgen -W \"", option.name);
      print_choices(&option);
      puts("\" -- \"$cur\")); return ;;");
    }
  }
}


static void print_bash_options(void)
{
  for (int v = 0; cli_verb_at(v); v++) {
    printf("    %s) words=\"", cli_verb_at(v)->name);
    cliOptionInfo option;
    for (int i = 0; cli_option_at(cli_verb_at(v), i, &option); i++) {
      printf("%s--%s", i ? " " : "", option.name);
    }
    puts("\" ;;");
  }
}


static void print_bash(void)
{
  puts("_articula() {\n"
       "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} words=\n"
       "  if [ \"$COMP_CWORD\" -eq 1 ] || [ \"$prev\" = help ]; then");
  fputs("    COMPREPLY=($(compgen -W \"", stdout);
  print_verbs();
  puts("\" -- \"$cur\"))\n    return\n  fi\n  case $prev in");
  print_bash_values();
  puts("  esac\n  if [ \"${cur:0:1}\" = - ]; then\n    case ${COMP_WORDS[1]} in");
  print_bash_options();
  puts("    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n    return\n  fi\n"
       "  COMPREPLY=($(compgen -f -- \"$cur\"))\n}\n"
       "complete -o filenames -F _articula articula");
}


static void print_zsh(void)
{
  puts("autoload -U +X bashcompinit && bashcompinit");
  print_bash();
}


//---- fish ----------------------------------------------------------------------------------------

// a help text up to its first line, in single quotes
static void print_quoted(const char *text)
{
  putchar('\'');
  for (; *text && *text != '\n'; text++) {
    if (*text == '\'' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('\'');
}


static void print_fish(void)
{
  for (int v = 0; cli_verb_at(v); v++) {
    const cliVerb *verb = cli_verb_at(v);
    printf("complete -c articula -n __fish_use_subcommand -a %s -d ", verb->name);
    print_quoted(verb->summary);
    putchar('\n');
    cliOptionInfo option;
    for (int i = 0; cli_option_at(verb, i, &option); i++) {
      printf("complete -c articula -n '__fish_seen_subcommand_from %s' -l %s", verb->name,
             option.name);
      if (option.letter) printf(" -s %c", option.letter);
      if (option.value) fputs(" -r", stdout);
      if (option.choice) {
        fputs(" -f -a '", stdout);
        print_choices(&option);
        putchar('\'');
      }
      fputs(" -d ", stdout);
      print_quoted(option.help);
      putchar('\n');
    }
  }
}


int verb_completion(const cliCall *call)
{
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
    if (strcmp(shells[i].name, call->file) != 0) continue;
    shells[i].print();
    return CLI_DONE;
  }
  artError error = {0};
  base_fail(&error, ART_BAD_INPUT, base_nowhere(),
            "'%.60s' is no shell that is known; there is bash, zsh, fish", call->file);
  return cli_fail(call, &error);
}
