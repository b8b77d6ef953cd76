/* SPDX-License-Identifier: MIT
 * Intrusive doubly linked list with a head node. */
#pragma once

#include "util/macros.h"

#include <stdbool.h>

struct util_list {
   struct util_list *prev, *next;
};

static inline void util_list_init(struct util_list *list)
{
   list->prev = list->next = list;
}

static inline bool util_list_is_empty(const struct util_list *list)
{
   return list->next == list;
}

/* Inserts `node` after `where`; after the head means first. */
static inline void util_list_add_after(struct util_list *node, struct util_list *where)
{
   node->prev = where;
   node->next = where->next;
   where->next->prev = node;
   where->next = node;
}

/* Inserts `node` before `where`; before the head means last. */
static inline void util_list_add_before(struct util_list *node, struct util_list *where)
{
   util_list_add_after(node, where->prev);
}

static inline void util_list_remove(struct util_list *node)
{
   node->prev->next = node->next;
   node->next->prev = node->prev;
   node->prev = node->next = node;
}

/* Moves all nodes of `from` to before `where`. */
static inline void util_list_splice_before(struct util_list *from, struct util_list *where)
{
   if (util_list_is_empty(from))
      return;
   from->next->prev = where->prev;
   where->prev->next = from->next;
   from->prev->next = where;
   where->prev = from->prev;
   util_list_init(from);
}

#define UTIL_LIST_ENTRY(node, type, member) UTIL_CONTAINER_OF(node, type, member)

/* `it` may be removed from the list in the loop's body. */
#define UTIL_LIST_FOR_EACH(type, it, list, member)                                                                     \
   for (type *it = UTIL_LIST_ENTRY((list)->next, type, member),                                                        \
             *it##_next_ = UTIL_LIST_ENTRY(it->member.next, type, member);                                             \
        &it->member != (list); it = it##_next_, it##_next_ = UTIL_LIST_ENTRY(it->member.next, type, member))
