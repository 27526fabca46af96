// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Products of `generate` and `export`, and the options that each of them takes.
//
// The table (product_table.c) is data alone: refusals, and the tables at the end of the help, are read from it.
#ifndef CLI_PRODUCT_H
#define CLI_PRODUCT_H

#include "command.h"
#include "emit/language/options.h"

typedef enum cliProduct {
  PRODUCT_FUNCTIONS,
  PRODUCT_LANES,     // functions on vectors of instances
  PRODUCT_TASKS,     // functions in tasks, by threads or ranks
  PRODUCT_SIMULATOR, // a program
  PRODUCT_WORKERS,   // a program whose accelerations several threads share
  PRODUCT_MACHINE,   // a machine behind its interface
  PRODUCT_SFUNCTION, // a block of Simulink
  PRODUCT_CUDA,
  PRODUCT_FMU,
  PRODUCT_LIVE, // a page
  PRODUCT_URDF,
  PRODUCT_GLB,
  PRODUCT_PNG,
  PRODUCTS,
  PRODUCT_FIRST_EXPORT = PRODUCT_FMU
} cliProduct;

typedef struct productKind {
  const char *name;   // the column of the table in the help
  const char *text;   // the subject of a refusal
  const char *nature; // why it does not take what it does not take
  unsigned languages; // bits of emitLanguage
} productKind;

// An option that some products take and others do not.
typedef struct productOption {
  const char *name;   // NULL ends the list
  unsigned products;  // which take it, bits of cliProduct
  unsigned languages; // in these languages, bits; 0: in all
  const char *reason; // NULL: the nature of the product says enough
  const char *advice; // NULL: to leave the option out
} productOption;

// An option that needs one of these forms (gen/gen.h), or another option.
typedef struct productNeed {
  const char *name; // NULL ends the list
  unsigned forms;
  const char *option; // that serves as well; or NULL
  const char *reason;
} productNeed;

extern const productKind product_kinds[PRODUCTS];
extern const productOption product_options[];
extern const productNeed product_needs[];

// The language that the call names, or the ending of the file that it writes; else C. The second: the language whose files end
// as the one of -o; -1: it names a folder, or there is none.
emitLanguage generate_language(const cliCall *call);
int generate_language_of_file(const cliCall *call);

// The product that a call of generate or export asks for.
cliProduct product_of(const cliCall *call);

// The words of --product, NULL after the last; and whether the product is a machine behind its interface, which an FMU has inside.
const char *product_word(int k);
bool product_has_interface(const cliCall *call);

// Leave the work where the call has an option that its product does not take, or a language in which it is not written; and
// once the forms are known, where an option lacks the form that it is for.
void product_check(const cliCall *call);
void product_check_forms(const cliCall *call, unsigned forms);

// The tables of the help of a verb: rows are options, columns products.
void product_print_help(FILE *out, const cliVerb *verb);

#endif
