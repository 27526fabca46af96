// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Stacks. Memory of a block that is freed below others is reused only after these are freed.
#include "base/stack.h"

#include <stdint.h>
#include <string.h>

#include "base/error.h"

enum { ALIGNMENT = 16 };

// header of a block
typedef struct stackBlock {
  _Alignas(ALIGNMENT) size_t size; // without the header
  size_t below; // 2 * offset of the block below, plus 1 if this block has been freed
} stackBlock;

struct memStack {
  memSource source; // first member, so that pointers can be converted
  size_t room, used;
  size_t top; // offset of the topmost block; equal to room: none
};

_Static_assert(sizeof(stackBlock) % ALIGNMENT == 0, "blocks are aligned");

static const size_t HEADER = (sizeof(memStack) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;


static stackBlock *stack_block_at(memStack *stack, size_t place)
{
  ART_ASSERT(place < stack->room);
  return (void *) ((char *) stack + HEADER + place);
}


static int is_inside_stack(const memStack *stack, const void *block)
{
  const uintptr_t begin = (uintptr_t) stack + HEADER, at = (uintptr_t) block;
  return at >= begin && at < begin + stack->room;
}


static void *ask_allocator(void *block, size_t bytes)
{
  memSource *outer = mem_use(NULL);
  void *given = mem_resize(block, bytes, 1);
  mem_use(outer);
  return given;
}


static size_t rounded_size(size_t bytes)
{
  return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}


// push a block; NULL: it does not fit
static void *push_block(memStack *stack, size_t bytes)
{
  const size_t size = rounded_size(bytes);
  const size_t place = stack->used, left = stack->room - place;
  if (size < bytes || left < sizeof(stackBlock) || left - sizeof(stackBlock) < size) return NULL;
  stackBlock *block = stack_block_at(stack, place);
  *block = (stackBlock){size, 2 * stack->top};
  stack->top = place;
  stack->used = place + sizeof *block + size;
  return block + 1;
}


// extend the topmost block; 0: it does not fit
static int extend_top_block(memStack *stack, stackBlock *block, size_t bytes)
{
  const size_t size = rounded_size(bytes), more = size - block->size;
  if (size < bytes || more > stack->room - stack->used) return 0;
  block->size = size;
  stack->used += more;
  return 1;
}


static void stack_release(memSource *source, void *old)
{
  memStack *stack = (void *) source;
  if (!is_inside_stack(stack, old)) {
    memSource *outer = mem_use(NULL);
    mem_free(old);
    mem_use(outer);
    return;
  }
  ((stackBlock *) old - 1)->below |= 1;
  while (stack->top < stack->room && stack_block_at(stack, stack->top)->below % 2 == 1) {
    stack->used = stack->top;
    stack->top = stack_block_at(stack, stack->top)->below / 2;
  }
}


static void *stack_resize(memSource *source, void *old, size_t bytes)
{
  memStack *stack = (void *) source;
  if (old && !is_inside_stack(stack, old)) return ask_allocator(old, bytes);
  stackBlock *before = old ? (stackBlock *) old - 1 : NULL;
  if (before && before->size >= bytes) return old;
  if (before && stack_block_at(stack, stack->top) == before &&
      extend_top_block(stack, before, bytes))
    return old;
  void *block = push_block(stack, bytes);
  if (!block) block = ask_allocator(NULL, bytes);
  if (!block || !before) return block;
  memcpy(block, old, before->size);
  stack_release(source, old);
  return block;
}


memStack *stack_create(size_t bytes)
{
  if (bytes > SIZE_MAX / 4) return NULL;
  memStack *stack = mem_resize(NULL, 1, HEADER + bytes);
  if (!stack) return NULL;
  *stack = (memStack){.source = {stack_resize, stack_release}, .room = bytes, .top = bytes};
  return stack;
}


void stack_free(memStack *stack)
{
  mem_free(stack);
}


memSource *stack_source(memStack *stack)
{
  return &stack->source;
}


size_t stack_bytes(const memStack *stack)
{
  return HEADER + stack->room;
}
