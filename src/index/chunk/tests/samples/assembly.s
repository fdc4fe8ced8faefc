// Adds and copies.
#include "asm.h"
	.file	"shop.c"
	.text

#define STEP(x) add x, x, \
	#1

	.equ	LIMIT, 64

/* Adds two
 * numbers. */
	.globl	shop_add
	.type	shop_add, @function
shop_add:
	pushq	%rbp		# saves it
	movq	%rsp, %rbp
.L2:
	call	shop_log@PLT
	cmpl	$LIMIT, %eax
	jne	.L2
inside:
	leaq	message(%rip), %rdi
	call	helper
	ret
	.size	shop_add, .-shop_add

helper:
	jmp	shop_add

# Copies.
ENTRY(shop_copy)
	ldr	x0, =table
	bl	memcpy
	ret
END(shop_copy)

SYM_FUNC_START(shop_clear)
1:	b	1b
SYM_FUNC_END(shop_clear)

.macro save reg, slot=0
	str	\reg, [sp, \slot]
.endm

	.section .rodata
message:
	.string	"call nothing; # not a comment"
table:	.quad	shop_add, shop_copy

TEXT ·goAdd(SB), $0-24 // of Go
	CALL ·goLog(SB)
	RET

_start:	save	x1
