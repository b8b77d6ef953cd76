/* SPDX-License-Identifier: MIT
 * The operations of the IR, one row an operation; included several times with another IR_OP each time.
 *
 * IR_OP(name, sources, result, flags, imm0, imm1, imm2, imm3)
 *    sources  how many; -1: any number
 *    result   how components and bits of the result follow:
 *             NONE no value; SAME as source 0; BOOL 1 bit; FREE given by the instruction itself
 *    flags    PURE     no side effect, equal sources give equal results: may be merged, moved and removed
 *             READS    reads memory that others may write: may be removed, not moved over writes or barriers
 *             EFFECT   must stay
 *             CROSS    looks at other lanes: must not move into or out of divergent control flow
 *             SUBGROUP of those, what looks at more than its quad
 *             COMM     the first two sources commute
 *             SCALAR   arithmetic: sources and result have one component
 *             NAMES_VAR imm.var is a variable: text has it behind the type
 *    imm0..3  names of the 32-bit immediates imm.u[0..3] as printed; NULL: unused
 *
 * Integers and floats share the types: an operation says how it reads its sources. Booleans have 1 bit. */

#define IR_ALU IR_PURE | IR_SCALAR

/* Constants and shape. */
IR_OP(const, 0, FREE, IR_PURE, NULL, NULL, NULL, NULL) /* imm.c[i]: component i, zero-extended */
IR_OP(undef, 0, FREE, IR_PURE, NULL, NULL, NULL, NULL)
IR_OP(vec, -1, FREE, IR_PURE, NULL, NULL, NULL, NULL)           /* one component from each source */
IR_OP(extract, 1, FREE, IR_PURE, "index", NULL, NULL, NULL)     /* component `index` */
IR_OP(pack, -1, FREE, IR_ALU, NULL, NULL, NULL, NULL)           /* 2, 4 or 8 values to one wider, first is lowest */
IR_OP(unpack, 1, FREE, IR_ALU, "index", NULL, NULL, NULL)       /* the index-th part as narrow as the result */
IR_OP(call, -1, FREE, IR_PURE, "routine", NULL, NULL, NULL)     /* output i of a routine, whose inputs are the sources; u[1]: of integers */
IR_OP(call_ordered, -1, FREE, IR_EFFECT, "routine", "bits", NULL, NULL) /* the same of a routine that reads memory or has loops, which may never end */

/* Integers. Divisions: x/0 gives all ones for unsigned and -1 for signed, x%0 gives x; INT_MIN/-1 gives INT_MIN, remainder 0.
 * Shifts use the low log2(bits) bits of the amount. */
IR_OP(iadd, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(isub, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(imul, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(imulh, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL) /* high half of the signed product */
IR_OP(umulh, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(dot_bytes, 2, SAME, IR_ALU, "signs", NULL, NULL, NULL) /* 32 bits: the sum of four products of bytes; signs: bit i: those of source i have one */
IR_OP(ineg, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(iabs, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(idiv, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(udiv, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(irem, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)            /* sign of the dividend */
IR_OP(imod, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)            /* sign of the divisor */
IR_OP(umod, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(imin, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(imax, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(umin, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(umax, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(iand, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(ior, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(ixor, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(inot, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ishl, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* amounts have the bits of source 0 */
IR_OP(ishr, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* arithmetic */
IR_OP(ushr, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ucarry, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL) /* 1 if the sum carries */
IR_OP(uborrow, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)          /* 1 if the difference borrows */
IR_OP(bitreverse, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(bitcount, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(find_lsb, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)  /* -1 if zero */
IR_OP(find_umsb, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* -1 if zero */
IR_OP(find_imsb, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* highest bit that differs from the sign; -1 for 0 and -1 */
IR_OP(ubfe, 3, SAME, IR_ALU, NULL, NULL, NULL, NULL)      /* value, offset, count; offset and count are 32-bit; count 0 gives 0 */
IR_OP(ibfe, 3, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(bfi, 4, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* base, insert, offset, count */

/* Comparisons. A plain float comparison is false on NaN, one in ...u is true. */
IR_OP(ieq, 2, BOOL, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(ine, 2, BOOL, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(ilt, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ige, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ult, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(uge, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(feq, 2, BOOL, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(fne, 2, BOOL, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(flt, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fge, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fequ, 2, BOOL, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(fneu, 2, BOOL, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(fltu, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fgeu, 2, BOOL, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(select, 3, FREE, IR_ALU, NULL, NULL, NULL, NULL) /* 1-bit condition, if true, if false */

/* Floats: IEEE 754, to nearest even unless ir_fp says otherwise. */
IR_OP(fadd, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(fsub, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fmul, 2, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL)
IR_OP(fdiv, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fma, 3, SAME, IR_ALU | IR_COMM, NULL, NULL, NULL, NULL) /* rounded once, on every machine */
IR_OP(fneg, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fabs, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fone_nan, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* x; of any NaN the one that is positive and quiet with no payload (lower/lower_nan) */
/* Powers of two are taken apart so: 2^x = 2^ffraction(x) scaled by x. 32 bits. */
IR_OP(fscale, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)    /* x * 2^floor(n), rounded once; x from 1/2 to 2, n may be infinite, or both are NaN */
IR_OP(ffraction, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* x - floor(x), rounded; any number in [0, 1] from |x| >= 152 on, or of NaN NaN */
/* x = 2^exponent * significand, for positive numbers: the exponent of 0 is -infinity, of infinity itself, and the significand of both 1 (of -0: -1);
 * of negative numbers and NaN both are NaN. 32 bits. */
IR_OP(fexponent, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)    /* as a float */
IR_OP(fsignificand, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* in [3/4, 3/2) */
/* Of a number of at least 8192: its distance from the nearest multiple of pi or, for cosine, odd multiple of pi/2, positive or negative so that its sine
 * is what the function is of the number; of infinity and NaN NaN. 32 bits. */
IR_OP(freduce, 1, SAME, IR_ALU, "cosine", NULL, NULL, NULL)
IR_OP(fsqrt, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fmin, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* the other operand if one is NaN; -0 < +0 */
IR_OP(fmax, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ffloor, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fceil, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ftrunc, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fround_even, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
/* Lowered by lower/lower_math to the operations above, so that they are the same bits everywhere. */
IR_OP(fmod, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* OpFMod: sign of the divisor */
IR_OP(frem, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* OpFRem: sign of the dividend */
IR_OP(fexp2, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(flog2, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fexp, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(flog, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fpow, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fsin, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fcos, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ftan, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fasin, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(facos, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fatan, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fatan2, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* y, x */
IR_OP(fsinh, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fcosh, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(ftanh, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fasinh, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(facosh, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fatanh, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(fldexp, 2, SAME, IR_ALU, NULL, NULL, NULL, NULL)     /* x, 32-bit exponent */
IR_OP(ffrexp_sig, 1, SAME, IR_ALU, NULL, NULL, NULL, NULL) /* in [0.5, 1) */
IR_OP(ffrexp_exp, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL) /* 32-bit */

/* Conversions; the result's bits are free. Float to integer saturates, NaN gives 0. */
IR_OP(i2i, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL) /* sign-extends or truncates */
IR_OP(u2u, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL) /* zero-extends or truncates; from 1 bit: 0 or 1 */
IR_OP(i2f, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(u2f, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(f2i, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(f2u, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL)
IR_OP(f2f, 1, FREE, IR_ALU, NULL, NULL, NULL, NULL)

/* Resources. A buffer is an address (64 bits) and a size in bytes (32 bits: no more than ABI_MAX_BUFFER_BYTES; 64: all of it); an image or a sampler is
 * the address of its abi struct.
 * Source 0 is the array index of the descriptor (32 bits), checked against the binding's count. */
IR_OP(buffer_addr, 1, FREE, IR_PURE, "set", "binding", NULL, NULL)
IR_OP(buffer_size, 1, FREE, IR_PURE, "set", "binding", NULL, NULL)
IR_OP(image_desc, 1, FREE, IR_PURE, "set", "binding", NULL, NULL)
IR_OP(sampler_desc, 1, FREE, IR_PURE, "set", "binding", NULL, NULL)
IR_OP(structure_desc, 1, FREE, IR_PURE, "set", "binding", NULL, NULL) /* the address of an acceleration structure */
/* The image of an attachment that is rendered to: number `first` + source 0, uniform, of abi_fragment_args.attachments. */
IR_OP(attachment_desc, 1, FREE, IR_PURE, "first", NULL, NULL, NULL)

/* Memory. Offsets are 32-bit byte offsets, addresses 64 bits. Out-of-bounds reads give 0, writes are dropped, atomics give 0; an
 * access of several components is in or out of bounds component by component.
 * "access" is a set of enum ir_access; "mask" has a bit for each written component. "align" is the known alignment in bytes. */
IR_OP(load_buffer, 3, FREE, IR_READS, "access", "align", NULL, NULL)            /* addr, size, offset */
IR_OP(store_buffer, 4, NONE, IR_EFFECT, "access", "align", "mask", NULL)        /* addr, size, offset, value */
IR_OP(atomic_buffer, -1, FREE, IR_EFFECT, "atomic", "access", NULL, NULL)       /* addr, size, offset, data[, compare] */
IR_OP(load_global, 1, FREE, IR_READS, "access", "align", NULL, NULL)            /* addr */
IR_OP(store_global, 2, NONE, IR_EFFECT, "access", "align", "mask", NULL)        /* addr, value */
IR_OP(atomic_global, -1, FREE, IR_EFFECT, "atomic", "access", NULL, NULL)       /* addr, data[, compare] */
IR_OP(load_shared, 1, FREE, IR_READS, "access", "align", NULL, NULL)            /* offset into the workgroup's shared memory */
IR_OP(store_shared, 2, NONE, IR_EFFECT, "access", "align", "mask", NULL)        /* offset, value */
IR_OP(atomic_shared, -1, FREE, IR_EFFECT, "atomic", "access", NULL, NULL)       /* offset, data[, compare] */
IR_OP(load_push, 1, FREE, IR_PURE, "align", NULL, NULL, NULL)                   /* offset into the push constants */
IR_OP(load_var, 1, FREE, IR_READS | IR_NAMES_VAR, NULL, NULL, NULL, NULL)                      /* offset; imm.var */
IR_OP(store_var, 2, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, "mask", NULL)                  /* offset, value; imm.var */
IR_OP(copy, -1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL) /* of memory to memory: ir_copy.h */
IR_OP(load_table, 1, FREE, IR_ALU | IR_NAMES_VAR, NULL, NULL, NULL, NULL) /* element number source 0, 32 bits, of a table; beyond the end the last one */

/* Rays (abi/ray.h) of imm.var, a variable of class IR_VAR_QUERY or IR_VAR_RAY. Source 0 is the byte offset of one of them in the variable, a
 * multiple of sizeof(struct abi_ray); "field" is an offset in that struct. Results of ray_proceed and ray_commit are 1 bit: there is a candidate;
 * it was committed. */
IR_OP(load_ray, 1, FREE, IR_READS | IR_NAMES_VAR, NULL, NULL, NULL, "field")
IR_OP(store_ray, 2, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, "mask", "field") /* offset, value */
IR_OP(ray_clear, 0, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL)      /* no query is begun in the whole variable */
IR_OP(ray_proceed, 1, FREE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL)
IR_OP(ray_commit, -1, FREE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL)    /* offset[, t]: without t a triangle */
IR_OP(ray_fetch, 1, FREE, IR_READS | IR_NAMES_VAR, NULL, NULL, "what", "committed") /* words 3 * column + component: what = enum abi_ray_fetch << 2 | column */
IR_OP(ray_copy, 2, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL)       /* offset, address of another: it becomes the same, traversal included */
IR_OP(ray_address, 1, FREE, IR_PURE | IR_NAMES_VAR, NULL, NULL, NULL, NULL)      /* 64 bits, for ray_copy, trace_object and execute_object */
/* Shaders of ray pipelines (abi/trace.h). imm.var is the payload or the callable data, of class IR_VAR_OUTGOING or IR_VAR_INCOMING; report_hit is of the
 * variable of class IR_VAR_ATTRIBUTES. */
IR_OP(trace_ray, 10, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL) /* in the order of enum abi_trace_row; structure: 64 bits; 3 components */
IR_OP(trace_object, 11, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL) /* the same, and the hit object's address */
IR_OP(execute_object, 1, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL) /* the hit object's address */
IR_OP(call_shader, 1, NONE, IR_EFFECT | IR_NAMES_VAR, NULL, NULL, NULL, NULL) /* index */
IR_OP(report_hit, 2, FREE, IR_EFFECT, NULL, NULL, NULL, NULL)                 /* t, hit@type; 2 x 1 bit: accepted, the shader ends */

/* Cooperative matrices that stand in imm.var, a variable of class IR_VAR_MATRICES, as abi/matrix.h has them: element by element, a word an
 * invocation. "sizes": abi_matrix_sizes(); "class": enum abi_matrix_class. A transpose comes behind its matrix of
 * "rows" by "columns". */
IR_OP(multiply_matrices, 0, NONE, IR_EFFECT | IR_CROSS | IR_SUBGROUP | IR_NAMES_VAR, NULL, NULL, "sizes", "class")
IR_OP(transpose_matrix, 0, NONE, IR_EFFECT | IR_CROSS | IR_SUBGROUP | IR_NAMES_VAR, NULL, NULL, "rows", "columns")

/* Payloads of execution graphs (abi/node.h): "op" is enum abi_node_op, "output" one of ir_shader.node_outputs. Operands are 32 bits, addresses 64;
 * results 2 x 64 bits, one for the vector where they are shared. */
IR_OP(node_call, -1, FREE, IR_EFFECT, "op", "output", "shared", NULL)

/* Interface. "slot" counts 32-bit components: see abi/shader.h; one component an instruction. */
IR_OP(load_input, 0, FREE, IR_PURE, "slot", NULL, NULL, NULL)                   /* vertex attributes; operands of routines, u[1]: one for all lanes */
IR_OP(store_output, 1, NONE, IR_EFFECT, "slot", NULL, NULL, NULL)               /* pre-rasterization and fragment outputs */
IR_OP(load_vertex, 1, FREE, IR_PURE, "slot", NULL, NULL, NULL)                  /* of the primitive's vertex number source 0 */
IR_OP(store_vertex, 2, NONE, IR_EFFECT, "slot", NULL, NULL, NULL)               /* of the emitted vertex number source 0, below the maximum */
IR_OP(load_row, 1, FREE, IR_READS, NULL, NULL, NULL, NULL)                      /* row number source 0 of what the invocations of a patch share */
IR_OP(store_row, 2, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)                    /* row, value */
IR_OP(or_row, 2, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)                      /* row, bits to set in it; of mesh shaders too. For `uninit`, as are the next */
IR_OP(is_defined, 1, BOOL, IR_PURE, NULL, NULL, NULL, NULL)                     /* no bit of the value depends on what nobody wrote */
IR_OP(undefined_where, 2, SAME, IR_PURE, NULL, NULL, NULL, NULL)                /* the value, which counts as never written where source 1, 1 bit, holds */
IR_OP(interp, -1, FREE, IR_PURE, "slot", "mode", "at", NULL)                    /* fragment inputs: enum ir_interp, ir_interp_at; [sample index | dx, dy] */
IR_OP(sysval, 0, FREE, IR_PURE, "sysval", NULL, NULL, NULL)                     /* enum ir_sysval; up to 4 components */

/* Images: source order in ir.h, "Images". */
IR_OP(tex, -1, FREE, IR_READS | IR_CROSS, "op", "dim", "flags", NULL)
IR_OP(image_load, -1, FREE, IR_READS, "dim", "flags", "access", NULL)
IR_OP(image_store, -1, NONE, IR_EFFECT, "dim", "flags", "access", NULL)
IR_OP(image_atomic, -1, FREE, IR_EFFECT, "dim", "flags", "atomic", "format")
IR_OP(image_query, -1, FREE, IR_PURE, "query", "dim", "flags", NULL)

/* Other lanes. Scopes and semantics are SPIR-V's values. */
IR_OP(barrier, 0, NONE, IR_EFFECT | IR_CROSS, "exec", "memory", "semantics", NULL)  /* exec 0: none, else workgroup or subgroup scope */
IR_OP(vote_any, 1, BOOL, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)
IR_OP(vote_all, 1, BOOL, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)
IR_OP(vote_eq, 1, BOOL, IR_CROSS | IR_SUBGROUP, "float", NULL, NULL, NULL)
IR_OP(elect, 0, FREE, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)                         /* 1 bit */
IR_OP(ballot, 1, FREE, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)                        /* 4 x 32 bits */
IR_OP(read_first, 1, SAME, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)
IR_OP(shuffle, 2, SAME, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)                       /* value, 32-bit lane index */
IR_OP(reduce, 1, SAME, IR_CROSS | IR_SUBGROUP, "atomic", "scan", "cluster", NULL)             /* scan: 0 reduce, 1 inclusive, 2 exclusive */
IR_OP(match, 1, FREE, IR_CROSS | IR_SUBGROUP, NULL, NULL, NULL, NULL)                         /* 32 bits: lanes that are on with the same value, by bits */
IR_OP(reduce_part, 2, SAME, IR_CROSS | IR_SUBGROUP, "atomic", "scan", NULL, NULL)             /* value, 32-bit mask of the lanes that are combined */
IR_OP(ddx, 1, SAME, IR_CROSS | IR_SCALAR, "fine", NULL, NULL, NULL)
IR_OP(ddy, 1, SAME, IR_CROSS | IR_SCALAR, "fine", NULL, NULL, NULL)
IR_OP(quad_lanes, 0, FREE, IR_CROSS, NULL, NULL, NULL, NULL)                    /* 32 bits: lanes of the quad that are on, by bits */
IR_OP(demote, 1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)                       /* where the condition holds the invocation becomes a helper */
IR_OP(is_helper, 0, FREE, IR_CROSS, NULL, NULL, NULL, NULL)                     /* 1 bit */
IR_OP(clock, 0, FREE, IR_EFFECT, NULL, NULL, NULL, NULL)                        /* 64 bits */

/* The instrument: reports to the runtime site number `site` of ir_shader.sites where the condition, source 0, holds. The other sources are the
 * invocation's words and the operands of abi/probe.h. probe_value gives what the runtime answers; elsewhere 0. */
IR_OP(probe, -1, NONE, IR_EFFECT, "site", NULL, NULL, NULL)
IR_OP(probe_value, -1, FREE, IR_EFFECT, "site", NULL, NULL, NULL)

/* Structure: see ir.h. */
IR_OP(if, 1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)
IR_OP(loop, -1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)    /* initial values of the body's parameters */
IR_OP(block, 0, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)
IR_OP(param, 0, FREE, IR_PURE, NULL, NULL, NULL, NULL)      /* listed in its region's params */
IR_OP(result, 0, FREE, IR_PURE, NULL, NULL, NULL, NULL)     /* listed in its owner's results, follows it */
IR_OP(yield, -1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)   /* ends a region: results of if and block; next values of loop */
IR_OP(break, -1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL)   /* leaves imm.cf.target, a loop or block around: its results */
IR_OP(continue, -1, NONE, IR_EFFECT, NULL, NULL, NULL, NULL) /* ends the body of loop imm.cf.target: parameters of its continue region */

#undef IR_ALU
