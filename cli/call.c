// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A call carried out: the model, the study with the options of the call, the place of results.
#include <dirent.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "command.h"
#include "force/force.h"
#include "model/define/study_def.h"
#include "model/methods.h"
#include "model/model.h"
#include "notes.h"

static const double MAX_ROWS = 1e9;
static const double LONGEST = 1e15; // s: rounding of the time is a tenth of a second there


//---- model ---------------------------------------------------------------------------------------

// a file that is not there: perhaps one near where it should be has a name like it
static void hint_at_file(const char *path, artError *error)
{
  char folder[FILE_PATH_LENGTH];
  const char *slash = strrchr(path, '/');
  snprintf(folder, sizeof folder, "%.*s", slash ? (int) (slash - path + 1) : 2,
           slash ? path : "./");
  DIR *dir = access(path, F_OK) == 0 ? NULL : opendir(folder);
  if (!dir) return;
  char best[256] = "";
  baseNearest nearest = {.word = slash ? slash + 1 : path};
  for (struct dirent *entry; (entry = readdir(dir));) {
    base_consider(&nearest, entry->d_name);
    const size_t n = strlen(nearest.word);
    if (strncmp(entry->d_name, nearest.word, n) == 0 && strcmp(entry->d_name + n, ".yaml") == 0) {
      nearest.best = entry->d_name;
    }
    // names live as long as the next look
    if (nearest.best == entry->d_name) {
      snprintf(best, sizeof best, "%s", entry->d_name);
      nearest.best = best;
    }
  }
  closedir(dir);
  if (!best[0]) return;
  const artError plain = *error;
  base_fail(error, plain.status, base_nowhere(), "%.500s (did you mean '%s%.200s'?)", plain.text,
            slash ? folder : "", best);
}


// where all studies of the file that know a time start, or 0 when they disagree
static double start_time(const artModel *model)
{
  double start = NAN;
  for (int i = 0; i < model->nstudy; i++) {
    const artStudyDef *study = &model->study[i].def;
    if (study->type != ART_RUN && study->type != ART_INVERSE) continue;
    const double from = study->type == ART_RUN ? study->run.from : study->inverse.from;
    if (!isnan(start) && from != start) return 0;
    start = from;
  }
  return isnan(start) ? 0 : start;
}


static artStatus take_data(const artModel *model, artData **data, artError *error)
{
  *data = art_create_data(model);
  if (!*data) return base_no_memory(error);
  (*data)->time = start_time(model);
  art_update(model, *data);
  return ART_OK;
}


// "file: ..." without a line: nothing else can be looked for
static bool is_whole_file(const cliCall *call, const artError *error)
{
  const size_t n = strlen(call->file);
  const char *after = error->text + n;
  return strncmp(error->text, call->file, n) == 0 && !(after[1] >= '0' && after[1] <= '9');
}


artStatus cli_attach(const cliCall *call, artModel *model, artError *error)
{
  artStatus status = cli_attach_tables(call, model, error);
  if (call->no_native && call->functions.count > 0) {
    return base_fail(error, ART_BAD_INPUT, base_nowhere(),
                     "--functions loads native code, and --no-native refuses it");
  }
  for (int i = 0; i < call->functions.count && !status; i++) {
    status = art_attach_library(model, call->functions.word[i], error);
  }
  return status || call->functions.count == 0 ? status : art_check_functions(model, error);
}


int cli_load(const cliCall *call, artModel **model, artData **data)
{
  artError error = {0};
  artStatus status = cli_read_model(call, model, &error);
  const bool is_read = !status;
  if (!status) status = notes_check_settings(call, *model, &error);
  if (!status) status = cli_attach(call, *model, &error);
  if (!status && data) status = take_data(*model, data, &error);
  if (!status) {
    notes_warn(call, *model);
    return CLI_DONE;
  }

  if (status == ART_IO) hint_at_file(call->file, &error);
  const bool is_one = is_read || is_whole_file(call, &error) || art_is_foreign(call->file);
  const int exit_status = is_one ? cli_fail(call, &error) : cli_list_mistakes(call, &error);
  art_free_model(*model);
  *model = NULL;
  // a model file that cannot be read is a wrong call
  return status == ART_IO ? CLI_WRONG : exit_status;
}


// where the loops of the model cannot be closed, that is why a study has failed, and the input is wrong
static int cli_fail_study(const cliCall *call, const artModel *model, const artError *error)
{
  artData *data = NULL;
  artError why = {0};
  artAssembly assembly;
  const bool may_be = error->status == ART_NO_CONVERGENCE || error->status == ART_SINGULAR;
  artStatus status = may_be ? take_data(model, &data, &why) : ART_OK;
  if (!status && may_be) status = art_assemble(model, data, &assembly, &why);
  art_free_data(data);
  const bool is_open = status == ART_NO_CONVERGENCE || status == ART_SINGULAR;
  return is_open ? cli_refuse(call, error) : cli_fail(call, error);
}


struct cliKept {
  struct cliKept *next;
  void (*end)(void *what);
  void *what;
};


void cli_defer(cliWork *w, void (*end)(void *what), void *what)
{
  struct cliKept *kept = arena_alloc(&w->arena, 1, sizeof *kept);
  *kept = (struct cliKept){w->kept, end, what};
  w->kept = kept;
}


static void do_verb(void *work)
{
  cliWork *w = work;
  const cliVerb *verb = w->call->verb;
  notes_use_settings(w->call);
  if (verb->check) verb->check(w->call);
  if (verb->need != NEED_CALL) w->exit = cli_load(w->call, &w->model, &w->data);
  if (w->exit) return;
  if (verb->need == NEED_STUDY) cli_choose_study(w->call, w->model, verb->study, &w->study);
  verb->work(w);
}


int cli_do(const cliCall *call)
{
  const cliVerb *verb = call->verb;
  cliWork w = {.call = call, .arena.leaves = 1};
  artError error = {0};
  const artStatus status = error_try(do_verb, &w, &error);
  for (struct cliKept *k = w.kept; k; k = k->next) k->end(k->what);
  arena_free(&w.arena);
  art_free_data(w.data);
  const int end = !status                    ? w.exit
                  : verb->need == NEED_STUDY ? cli_fail_study(call, w.model, &error)
                  : verb->need == NEED_LOOPS ? cli_refuse(call, &error)
                                             : cli_fail(call, &error);
  art_free_model(w.model);
  return end;
}


void cli_mass_centre(const artModel *model, const artData *data, double centre[3])
{
  const treeData *t = data_world(model, data);
  v3 sum = {0, 0, 0};
  for (int i = 1; i < model->tree.n; i++) {
    // m o + R^T h, with h the first moment about the link's origin
    const treeLink *link = &model->tree.link[i];
    sum = v3_add(sum, v3_scale(link->mass, tree_in_ground(t, i)->o));
    sum = v3_add(sum, m3_back(tree_in_ground(t, i)->R, link->h));
  }
  for (int k = 0; k < 2 * model->nrod; k++) {
    // half of a rod at either end, of which links have a third; ground has no mass
    const modelCut *cut = &model->cut[model->rod[k / 2]];
    const cutSide *side = &cut->side[k % 2];
    const double part = side->link > 0 ? cut->mass / 3 : cut->mass / 2;
    sum = v3_add(sum, v3_scale(part, tree_point(t, side->link, side->r)));
  }
  const double scale = model->mass > 0 ? 1 / model->mass : 0;
  centre[0] = scale * sum.x;
  centre[1] = scale * sum.y;
  centre[2] = scale * sum.z;
}


//---- names along velocity coordinates ------------------------------------------------------------

const char *cli_displacement_name(const artModel *model, int k, char name[CLI_NAME_LENGTH])
{
  ART_ASSERT(k >= 0 && k < model->tree.nv);
  const modelCoordinate *velocity = &model->velocity[k];
  if (velocity->partner >= 0) return model->position[velocity->partner].name;

  // angular velocity joint.wx, of which the integral is the rotation vector joint.rx
  const char *axis = strrchr(velocity->name, '.');
  snprintf(name, CLI_NAME_LENGTH, "%.*s.r%s", (int) (axis - velocity->name), velocity->name,
           axis + 2);
  return name;
}


const char *cli_force_unit(const artModel *model, int k)
{
  ART_ASSERT(k >= 0 && k < model->tree.nv);
  return model->velocity[k].dimension.m == 1 ? "N" : "N m";
}


//---- study ---------------------------------------------------------------------------------------

_Noreturn static void unknown_study(const cliCall *call, const artModel *model)
{
  char hint[BASE_HINT_LENGTH];
  baseNearest nearest = {.word = call->study};
  for (int i = 0; i < model->nstudy; i++) base_consider(&nearest, model->study[i].def.name);
  char list[300] = "";
  for (int i = 0; i < model->nstudy; i++) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "; there is ",
             model->study[i].def.name);
  }
  error_refuse((artPlace){.file = call->file}, "there is no study '%.60s'%s%s", call->study,
               base_hint(&nearest, hint), model->nstudy ? list : "; the file has none");
}


// options of the call in place of the study's own fields of that name
static void take_study_number(artStudyDef *study, const char *key, double given)
{
  double *field = isnan(given) ? NULL : model_study_field(study, key);
  if (field) *field = given;
}


static void take_choice(artStudyDef *study, const char *key, int given)
{
  int *field = given < 0 ? NULL : model_study_field(study, key);
  if (field) *field = given;
}


static void check_positive(const char *name, double value)
{
  if (value <= 0) cli_leave("--%s is %.12g, expected something above zero", name, value);
}


static void check_study_times(double from, double until, double interval)
{
  if (interval < 0) cli_leave("--interval is %.12g s, before zero", interval);
  if (until < from)
    cli_leave("the study ends at %.12g s, before it starts at %.12g s; see --from, --until", until,
              from);
  if (until - from > LONGEST)
    cli_leave("the study lasts %.6g s, expected at most %.0e s; see --from, --until", until - from,
              LONGEST);
  if (interval > 0 && (until - from) / interval > MAX_ROWS)
    cli_leave("an interval of %.6g s makes more than %.0e rows; see --interval", interval,
              MAX_ROWS);
}


static void check_call_study(const cliCall *call, artStudyDef *study)
{
  check_positive("step", call->step);
  check_positive("tolerance", call->tolerance);
  const double *speed = model_study_field(study, "speed");
  if (call->nearest && speed && *speed != 0)
    cli_leave("--nearest chooses among equilibria at rest, and the study asks for steady motion "
              "at %.6g m/s; leave --nearest out, or give --speed 0",
              *speed);
  const int *at_equilibrium = model_study_field(study, "at_equilibrium");
  if (at_equilibrium && !*at_equilibrium && *speed != 0)
    cli_leave("the study gives a speed of %.6g m/s and begins at the initial state; give --speed, "
              "which begins with a steady motion",
              *speed);
  const artInverseDef *inverse = &study->inverse;
  if (study->type == ART_INVERSE) {
    check_study_times(inverse->from, inverse->until, inverse->interval);
  }
  if (study->type != ART_RUN) return;
  const artRunDef *run = &study->run;
  check_study_times(run->from, run->until, run->interval);
  if (art_integrator_is_fixed(run->integrator) && run->step == 0 &&
      !art_method_is_natural(run->method))
    cli_leave("%s takes fixed steps: give one, for example --step \"1 ms\"",
              art_integrator_name(run->integrator));
}


static bool takes_method(const cliVerb *verb)
{
  const cliOption *option;
  for (int i = 0; (option = cli_option_at(verb, i)); i++) {
    if (strcmp(option->name, "method") == 0) return true;
  }
  return false;
}


// Equations are compiled where the call asks for it, not where the file does. Verbs without --method go by numbers.
static void check_call_backend(const cliCall *call, artStudyDef *study)
{
  artBackend *backend = model_study_field(study, "backend");
  if (!backend) return;
  if (*backend == ART_BACKEND_ASKED && !takes_method(call->verb)) *backend = ART_BACKEND_NUMERIC;
  if (*backend == ART_BACKEND_ASKED)
    cli_leave(
        "study '%.60s' of the model file asks for compiled equations, and a file cannot start "
        "a compiler; add --method generated to the call, or another method",
        study->name);
  if (*backend == ART_BACKEND_GENERATED && call->no_native)
    cli_leave("compiled equations are native code, and --no-native refuses it");
}


void cli_choose_study(const cliCall *call, const artModel *model, artStudyType type,
                      artStudyDef *study)
{
  const artStudyDef *found = art_find_study(model, type, call->study);
  if (!found && call->study) unknown_study(call, model);
  if (found && found->type != type)
    error_refuse((artPlace){.file = call->file},
                 "study '%s' is of type %s, not %s; try 'articula %s'", found->name,
                 art_study_type_name(found->type), art_study_type_name(type),
                 art_study_type_name(found->type));
  *study = found ? *found : art_default_study(type);
  const bool is_start = call->at_equilibrium || call->nearest || !isnan(call->speed);
  artMethod *method = model_study_field(study, "method");
  if (method && call->method >= 0) {
    model_split_way(call->method, method, model_study_field(study, "backend"));
  }
  take_choice(study, "integrator", call->integrator);
  take_choice(study, "algebra", call->algebra);
  take_choice(study, "at_equilibrium", is_start ? 1 : -1);
  take_choice(study, "nearest", call->nearest ? 1 : -1);
  take_study_number(study, "speed", call->speed);
  take_study_number(study, "step", call->step);
  take_study_number(study, "tolerance", call->tolerance);
  take_study_number(study, "from", call->from);
  take_study_number(study, "until", call->until);
  take_study_number(study, "interval", call->interval);
  // --option KEY=VALUE, in the order of the call
  for (int i = 0; i < call->option.count; i++) {
    const char *text = call->option.word[i], *equals = strchr(text, '=');
    char key[CLI_NAME_LENGTH];
    if (!equals || equals == text || equals - text >= CLI_NAME_LENGTH)
      cli_leave("--option has '%.60s', expected KEY=VALUE, for example alpha=5", text);
    snprintf(key, sizeof key, "%.*s", (int) (equals - text), text);
    artError trouble = {0};
    const artStatus status = art_set_study(study, key, equals + 1, &trouble);
    if (status) error_throw_at(status, base_nowhere(), "--option %.60s: %s", text, trouble.text);
  }
  check_call_backend(call, study);
  check_call_study(call, study);
}


typedef struct runChoice {
  const cliCall *call;
  const artModel *model;
  artStudyDef study;
} runChoice;


static void choose_run_study(void *context)
{
  runChoice *c = context;
  cli_choose_study(c->call, c->model, ART_RUN, &c->study);
}


artStatus cli_choose_run(const cliCall *call, const artModel *model, artRunDef *run,
                         artError *error)
{
  runChoice choice = {.call = call, .model = model};
  const artStatus status = error_try(choose_run_study, &choice, error);
  if (!status) *run = choice.study.run;
  return status;
}


artPrecision cli_precision(const cliCall *call)
{
  return call->precision >= 0 ? (artPrecision) call->precision : ART_DOUBLE;
}

//---- place of results ----------------------------------------------------------------------------

void cli_directory(const cliCall *call, const char *suffix, char *path)
{
  if (call->directory) {
    const int used = snprintf(path, FILE_PATH_LENGTH, "%s", call->directory);
    if (used >= FILE_PATH_LENGTH) cli_leave("the path after -o is too long");
    return;
  }
  const char *slash = strrchr(call->file, '/');
  const char *name = slash ? slash + 1 : call->file;
  const char *dot = strrchr(name, '.');
  const int n = dot && dot > name ? (int) (dot - name) : (int) strlen(name);
  const char *tail = call->study ? call->study : suffix;
  if (!tail && (strncmp(name, "..", (size_t) n) == 0 || n == 0))
    cli_leave("the model file is called '%.60s', which gives its results no folder of their own; "
              "choose one by -o",
              name);
  const int used = snprintf(path, FILE_PATH_LENGTH, "results/%.*s%s%s", n, name, tail ? "-" : "",
                            tail ? tail : "");
  if (used >= FILE_PATH_LENGTH) cli_leave("the name of the model file is too long");
  error_check(file_refuse_links(path, error_current()));
}


artStatus cli_remove_certificate(const char *directory, artError *error)
{
  char path[FILE_PATH_LENGTH];
  const artStatus status = file_join(path, directory, "certificate.json", error);
  return status ? status : file_remove(path, error);
}
