#include "textflag.h"

// The tiles of a product, as multiply.go describes them. Each loop takes four inputs of
// each row of a, spread over a register, times a panel or more of b.

#define ARGUMENTS \
	MOVQ c+0(FP), DI;  \
	MOVQ a+8(FP), SI;  \
	MOVQ b+16(FP), BX; \
	MOVQ k+24(FP), R8; \
	MOVQ n+32(FP), R9; \
	MOVQ R8, CX;       \
	SHRQ $2, CX;       \
	SHLQ $2, R9

// Rows 3, 4 and 5 of a are reached from R10, panels of b with R11 and R12.
#define SIX_ROWS \
	LEAQ (SI)(R8*2), R10; \
	ADDQ R8, R10

// Four panels times one row.
#define ROW_BY_64(at, c0, c1, c2, c3) \
	VPBROADCASTD at, Z28;  \
	VPDPBUSD Z24, Z28, c0; \
	VPDPBUSD Z25, Z28, c1; \
	VPDPBUSD Z26, Z28, c2; \
	VPDPBUSD Z27, Z28, c3

#define STORE_64(c0, c1, c2, c3) \
	VMOVDQU32 c0, (DI);    \
	VMOVDQU32 c1, 64(DI);  \
	VMOVDQU32 c2, 128(DI); \
	VMOVDQU32 c3, 192(DI); \
	ADDQ R9, DI

// func vnni6x64(c *int32, a *uint8, b *int8, k, n int)
TEXT ·vnni6x64(SB), NOSPLIT, $0-40
	ARGUMENTS
	SIX_ROWS
	MOVQ R8, R11
	SHLQ $4, R11
	LEAQ (R11)(R11*2), R12
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15
	VPXORD Z16, Z16, Z16
	VPXORD Z17, Z17, Z17
	VPXORD Z18, Z18, Z18
	VPXORD Z19, Z19, Z19
	VPXORD Z20, Z20, Z20
	VPXORD Z21, Z21, Z21
	VPXORD Z22, Z22, Z22
	VPXORD Z23, Z23, Z23

step:
	VMOVDQU32 (BX), Z24
	VMOVDQU32 (BX)(R11*1), Z25
	VMOVDQU32 (BX)(R11*2), Z26
	VMOVDQU32 (BX)(R12*1), Z27
	ROW_BY_64((SI), Z0, Z1, Z2, Z3)
	ROW_BY_64((SI)(R8*1), Z4, Z5, Z6, Z7)
	ROW_BY_64((SI)(R8*2), Z8, Z9, Z10, Z11)
	ROW_BY_64((R10), Z12, Z13, Z14, Z15)
	ROW_BY_64((R10)(R8*1), Z16, Z17, Z18, Z19)
	ROW_BY_64((R10)(R8*2), Z20, Z21, Z22, Z23)
	ADDQ $64, BX
	ADDQ $4, SI
	ADDQ $4, R10
	DECQ CX
	JNZ step

	STORE_64(Z0, Z1, Z2, Z3)
	STORE_64(Z4, Z5, Z6, Z7)
	STORE_64(Z8, Z9, Z10, Z11)
	STORE_64(Z12, Z13, Z14, Z15)
	STORE_64(Z16, Z17, Z18, Z19)
	STORE_64(Z20, Z21, Z22, Z23)
	VZEROUPPER
	RET

#define ROW_BY_16(at, c0) \
	VPBROADCASTD at, Z7; \
	VPDPBUSD Z6, Z7, c0

#define STORE_16(c0) \
	VMOVDQU32 c0, (DI); \
	ADDQ R9, DI

// func vnni6x16(c *int32, a *uint8, b *int8, k, n int)
TEXT ·vnni6x16(SB), NOSPLIT, $0-40
	ARGUMENTS
	SIX_ROWS
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5

step:
	VMOVDQU32 (BX), Z6
	ROW_BY_16((SI), Z0)
	ROW_BY_16((SI)(R8*1), Z1)
	ROW_BY_16((SI)(R8*2), Z2)
	ROW_BY_16((R10), Z3)
	ROW_BY_16((R10)(R8*1), Z4)
	ROW_BY_16((R10)(R8*2), Z5)
	ADDQ $64, BX
	ADDQ $4, SI
	ADDQ $4, R10
	DECQ CX
	JNZ step

	STORE_16(Z0)
	STORE_16(Z1)
	STORE_16(Z2)
	STORE_16(Z3)
	STORE_16(Z4)
	STORE_16(Z5)
	VZEROUPPER
	RET

// func vnni1x16(c *int32, a *uint8, b *int8, k, n int)
TEXT ·vnni1x16(SB), NOSPLIT, $0-40
	ARGUMENTS
	VPXORD Z0, Z0, Z0

step:
	VMOVDQU32 (BX), Z6
	ROW_BY_16((SI), Z0)
	ADDQ $64, BX
	ADDQ $4, SI
	DECQ CX
	JNZ step

	VMOVDQU32 Z0, (DI)
	VZEROUPPER
	RET

// One row times a panel in two halves: products of bytes are added two by two to 16 bits,
// and those two by two to 32 bits, by ones in Y15.
#define ROW_BY_8_8(at, c0, c1) \
	VPBROADCASTD at, Y12;      \
	VPMADDUBSW Y8, Y12, Y10;   \
	VPMADDUBSW Y9, Y12, Y11;   \
	VPMADDWD Y15, Y10, Y10;    \
	VPMADDWD Y15, Y11, Y11;    \
	VPADDD Y10, c0, c0;        \
	VPADDD Y11, c1, c1

#define STORE_8_8(c0, c1) \
	VMOVDQU c0, (DI);   \
	VMOVDQU c1, 32(DI); \
	ADDQ R9, DI

#define ONES \
	VPCMPEQW Y15, Y15, Y15; \
	VPSRLW $15, Y15, Y15

// func avx4x16(c *int32, a *uint8, b *int8, k, n int)
TEXT ·avx4x16(SB), NOSPLIT, $0-40
	ARGUMENTS
	SIX_ROWS
	ONES
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

step:
	VMOVDQU (BX), Y8
	VMOVDQU 32(BX), Y9
	ROW_BY_8_8((SI), Y0, Y1)
	ROW_BY_8_8((SI)(R8*1), Y2, Y3)
	ROW_BY_8_8((SI)(R8*2), Y4, Y5)
	ROW_BY_8_8((R10), Y6, Y7)
	ADDQ $64, BX
	ADDQ $4, SI
	ADDQ $4, R10
	DECQ CX
	JNZ step

	STORE_8_8(Y0, Y1)
	STORE_8_8(Y2, Y3)
	STORE_8_8(Y4, Y5)
	STORE_8_8(Y6, Y7)
	VZEROUPPER
	RET

// func avx1x16(c *int32, a *uint8, b *int8, k, n int)
TEXT ·avx1x16(SB), NOSPLIT, $0-40
	ARGUMENTS
	ONES
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

step:
	VMOVDQU (BX), Y8
	VMOVDQU 32(BX), Y9
	ROW_BY_8_8((SI), Y0, Y1)
	ADDQ $64, BX
	ADDQ $4, SI
	DECQ CX
	JNZ step

	STORE_8_8(Y0, Y1)
	VZEROUPPER
	RET

// VPDPBUSD on registers of 256 bits, of machines that have no larger ones: the assembler
// knows it only for those. The bytes are in Y14, the panel in Y12 and Y13.
#define DOT_LOW(c, half) BYTE $0xC4; BYTE $0xC2; BYTE $0x0D; BYTE $0x50; BYTE $(0xC4 | (c)<<3 | (half))
#define DOT_HIGH(c, half) BYTE $0xC4; BYTE $0x42; BYTE $0x0D; BYTE $0x50; BYTE $(0xC4 | ((c)-8)<<3 | (half))

#define LOW_ROW(at, c) \
	VPBROADCASTD at, Y14; \
	DOT_LOW(c, 0);        \
	DOT_LOW(c+1, 1)

#define HIGH_ROW(at, c) \
	VPBROADCASTD at, Y14; \
	DOT_HIGH(c, 0);       \
	DOT_HIGH(c+1, 1)

// func avxvnni6x16(c *int32, a *uint8, b *int8, k, n int)
TEXT ·avxvnni6x16(SB), NOSPLIT, $0-40
	ARGUMENTS
	SIX_ROWS
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7
	VPXOR Y8, Y8, Y8
	VPXOR Y9, Y9, Y9
	VPXOR Y10, Y10, Y10
	VPXOR Y11, Y11, Y11

step:
	VMOVDQU (BX), Y12
	VMOVDQU 32(BX), Y13
	LOW_ROW((SI), 0)
	LOW_ROW((SI)(R8*1), 2)
	LOW_ROW((SI)(R8*2), 4)
	LOW_ROW((R10), 6)
	HIGH_ROW((R10)(R8*1), 8)
	HIGH_ROW((R10)(R8*2), 10)
	ADDQ $64, BX
	ADDQ $4, SI
	ADDQ $4, R10
	DECQ CX
	JNZ step

	STORE_8_8(Y0, Y1)
	STORE_8_8(Y2, Y3)
	STORE_8_8(Y4, Y5)
	STORE_8_8(Y6, Y7)
	STORE_8_8(Y8, Y9)
	STORE_8_8(Y10, Y11)
	VZEROUPPER
	RET
