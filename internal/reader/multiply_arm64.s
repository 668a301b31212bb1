#include "textflag.h"

// The rows of a panel, as multiply_arm64.go describes them: V0 to V15 are the sums, four
// registers a row, V16 to V19 four inputs of the panel, V20 to V23 the rows of a, and V24
// what turns their sign.

// The assembler does not know these.

// SDOT adds to d the products of four bytes each of n with the four bytes i of m.
#define SDOT(d, n, m, i) WORD $(0x4F80E000 | ((i)&1)<<21 | (m)<<16 | ((i)>>1)<<11 | (n)<<5 | (d))

// SMULL and SMULL2 multiply the lower and the upper eight bytes.
#define SMULL(d, n, m) WORD $(0x0E20C000 | (m)<<16 | (n)<<5 | (d))
#define SMULL2(d, n, m) WORD $(0x4E20C000 | (m)<<16 | (n)<<5 | (d))

// SADALP adds pairs of 16 bits to 32 bits.
#define SADALP(d, n) WORD $(0x4E606800 | (n)<<5 | (d))

#define ARGUMENTS \
	MOVD c+0(FP), R0;     \
	MOVD a+8(FP), R1;     \
	MOVD b+16(FP), R5;    \
	MOVD k+24(FP), R6;    \
	MOVD n+32(FP), R7;    \
	MOVD start+40(FP), R8; \
	LSL $2, R7;           \
	VMOVI $0x80, V24.B16; \
	VLD1 (R8), [V0.S4, V1.S4, V2.S4, V3.S4]

#define FOUR_ROWS \
	ADD R6, R1, R2;        \
	ADD R6, R2, R3;        \
	ADD R6, R3, R4;        \
	VMOV V0.B16, V4.B16;   \
	VMOV V1.B16, V5.B16;   \
	VMOV V2.B16, V6.B16;   \
	VMOV V3.B16, V7.B16;   \
	VMOV V0.B16, V8.B16;   \
	VMOV V1.B16, V9.B16;   \
	VMOV V2.B16, V10.B16;  \
	VMOV V3.B16, V11.B16;  \
	VMOV V0.B16, V12.B16;  \
	VMOV V1.B16, V13.B16;  \
	VMOV V2.B16, V14.B16;  \
	VMOV V3.B16, V15.B16

#define STORE_FOUR \
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R0);     \
	ADD R7, R0;                                  \
	VST1 [V4.S4, V5.S4, V6.S4, V7.S4], (R0);     \
	ADD R7, R0;                                  \
	VST1 [V8.S4, V9.S4, V10.S4, V11.S4], (R0);   \
	ADD R7, R0;                                  \
	VST1 [V12.S4, V13.S4, V14.S4, V15.S4], (R0)

// TURN turns the signs of four rows.
#define TURN \
	VEOR V24.B16, V20.B16, V20.B16; \
	VEOR V24.B16, V21.B16, V21.B16; \
	VEOR V24.B16, V22.B16, V22.B16; \
	VEOR V24.B16, V23.B16, V23.B16

// SDOT_FOUR takes inputs i of what is loaded of four rows.
#define SDOT_FOUR(i) \
	VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]; \
	SDOT(0, 16, 20, i);  \
	SDOT(1, 17, 20, i);  \
	SDOT(2, 18, 20, i);  \
	SDOT(3, 19, 20, i);  \
	SDOT(4, 16, 21, i);  \
	SDOT(5, 17, 21, i);  \
	SDOT(6, 18, 21, i);  \
	SDOT(7, 19, 21, i);  \
	SDOT(8, 16, 22, i);  \
	SDOT(9, 17, 22, i);  \
	SDOT(10, 18, 22, i); \
	SDOT(11, 19, 22, i); \
	SDOT(12, 16, 23, i); \
	SDOT(13, 17, 23, i); \
	SDOT(14, 18, 23, i); \
	SDOT(15, 19, 23, i)

// SPREAD loads the next four inputs of four rows, four times each.
#define SPREAD \
	VLD1R.P 4(R1), [V20.S4]; \
	VLD1R.P 4(R2), [V21.S4]; \
	VLD1R.P 4(R3), [V22.S4]; \
	VLD1R.P 4(R4), [V23.S4]; \
	TURN

// func sdot4x16(c *int32, a *uint8, b *int8, k, n int, start *int32)
TEXT ·sdot4x16(SB), NOSPLIT, $0-48
	ARGUMENTS
	FOUR_ROWS
	SUBS $16, R6
	BLT rest

loop:
	VLD1.P 16(R1), [V20.B16]
	VLD1.P 16(R2), [V21.B16]
	VLD1.P 16(R3), [V22.B16]
	VLD1.P 16(R4), [V23.B16]
	TURN
	SDOT_FOUR(0)
	SDOT_FOUR(1)
	SDOT_FOUR(2)
	SDOT_FOUR(3)
	SUBS $16, R6
	BGE loop

rest:
	ADDS $16, R6
	BEQ done

step:
	SPREAD
	SDOT_FOUR(0)
	SUBS $4, R6
	BGT step

done:
	STORE_FOUR
	RET

// func sdot1x16(c *int32, a *uint8, b *int8, k, n int, start *int32)
TEXT ·sdot1x16(SB), NOSPLIT, $0-48
	ARGUMENTS

step:
	VLD1R.P 4(R1), [V20.S4]
	VEOR V24.B16, V20.B16, V20.B16
	VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]
	SDOT(0, 16, 20, 0)
	SDOT(1, 17, 20, 0)
	SDOT(2, 18, 20, 0)
	SDOT(3, 19, 20, 0)
	SUBS $4, R6
	BGT step
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R0)
	RET

// PRODUCTS adds four products each to d: none is above 2 to the power of 13, so that two
// together fit into 16 bits.
#define PRODUCTS(d, n, m) \
	SMULL(25, n, m);                \
	SMULL2(26, n, m);               \
	VADDP V26.H8, V25.H8, V25.H8;   \
	SADALP(d, 25)

#define PRODUCTS_ROW(c0, c1, c2, c3, m) \
	PRODUCTS(c0, 16, m); \
	PRODUCTS(c1, 17, m); \
	PRODUCTS(c2, 18, m); \
	PRODUCTS(c3, 19, m)

// func neon4x16(c *int32, a *uint8, b *int8, k, n int, start *int32)
TEXT ·neon4x16(SB), NOSPLIT, $0-48
	ARGUMENTS
	FOUR_ROWS

step:
	SPREAD
	VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]
	PRODUCTS_ROW(0, 1, 2, 3, 20)
	PRODUCTS_ROW(4, 5, 6, 7, 21)
	PRODUCTS_ROW(8, 9, 10, 11, 22)
	PRODUCTS_ROW(12, 13, 14, 15, 23)
	SUBS $4, R6
	BGT step
	STORE_FOUR
	RET

// func neon1x16(c *int32, a *uint8, b *int8, k, n int, start *int32)
TEXT ·neon1x16(SB), NOSPLIT, $0-48
	ARGUMENTS

step:
	VLD1R.P 4(R1), [V20.S4]
	VEOR V24.B16, V20.B16, V20.B16
	VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]
	PRODUCTS_ROW(0, 1, 2, 3, 20)
	SUBS $4, R6
	BGT step
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R0)
	RET

// func neonStart(start *int32, b *int8, k int)
TEXT ·neonStart(SB), NOSPLIT, $0-24
	MOVD start+0(FP), R0
	MOVD b+8(FP), R5
	MOVD k+16(FP), R6
	VMOVI $0x80, V20.B16
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	VEOR V4.B16, V4.B16, V4.B16

step:
	VLD1.P 64(R5), [V16.B16, V17.B16, V18.B16, V19.B16]
	PRODUCTS_ROW(0, 1, 2, 3, 20)
	SUBS $4, R6
	BGT step

	// The bytes of V20 are -128: the sums have the wrong sign.
	VSUB V0.S4, V4.S4, V0.S4
	VSUB V1.S4, V4.S4, V1.S4
	VSUB V2.S4, V4.S4, V2.S4
	VSUB V3.S4, V4.S4, V3.S4
	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R0)
	RET
