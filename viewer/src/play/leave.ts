// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// A work of the program that may be left from its depth, as longjmp does elsewhere (tools/site/module/leave.c).

class Left extends Error {}

interface Parts {
  __indirect_function_table: WebAssembly.Table;
  __stack_pointer: WebAssembly.Global;
}

/** Imports of the module for it; `parts` are its exports once it is there. */
export class Leave {
  parts!: Parts;

  get imports(): WebAssembly.ModuleImports {
    return {
      attempt: (work: number, context: number) => this.attempt(work, context),
      leave: () => {
        throw new Left("a work was left");
      },
    };
  }

  private attempt(work: number, context: number): number {
    const { __indirect_function_table: table, __stack_pointer: stack } = this.parts;
    const before = stack.value as number;
    try {
      (table.get(work) as (context: number) => void)(context);
      return 1;
    } catch (error) {
      if (!(error instanceof Left)) throw error;
      stack.value = before;
      return 0;
    }
  }
}
