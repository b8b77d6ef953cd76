/* SPDX-License-Identifier: MIT
 * What object code leaves open until it has an address in memory, for a family of processors each. All families are in each build, so that each is tested
 * everywhere; the loader takes that of the machine. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { OBJECT_STUB_BYTES = 16 };

struct object_relocation {
   uint32_t type;      /* ELF64_R_TYPE */
   uint8_t *unit;      /* what is changed; `available` bytes follow, at `address` */
   uint64_t available;
   uint64_t address;
   uint64_t value;     /* the symbol's address and the addend */
};

struct object_family {
   const char *name;    /* in messages */
   uint16_t elf_machine;
   /* Code of OBJECT_STUB_BYTES at an address divisible by 8 that goes on at `target`, wherever that is. */
   void (*write_stub)(uint8_t *stub, const void *target);
   /* False if the type is not known, the unit has too few bytes, or the value is out of the instruction's reach; nothing is changed then. */
   bool (*relocate)(const struct object_relocation *relocation);
};

extern const struct object_family object_x86, object_aarch64;

#ifdef __aarch64__
#define OBJECT_FAMILY object_aarch64
#else
#define OBJECT_FAMILY object_x86
#endif
