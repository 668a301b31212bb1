#include "textflag.h"

// What numbers.go does, eight numbers at a time, in the same steps. n is a multiple of
// 16.

// BYTES_16 stores the numbers of Y0 and Y1 as 16 bytes, from 0 to 255.
#define BYTES_16 \
	VPACKSSDW Y1, Y0, Y0;       \
	VPERMQ $0xD8, Y0, Y0;       \
	VEXTRACTI128 $1, Y0, X1;    \
	VPACKUSWB X1, X0, X0;       \
	VMOVDQU X0, (DI)

// TOGETHER adds up the eight numbers of Y0, in the order of together.
#define TOGETHER \
	VEXTRACTF128 $1, Y0, X1; \
	VADDPS X1, X0, X0;       \
	VMOVHLPS X0, X0, X1;     \
	VADDPS X1, X0, X0;       \
	VMOVSHDUP X0, X1;        \
	VADDSS X1, X0, X0

// func rescaleAVX(y *float32, acc, sums *int32, scales, biases *float32, n int, zero int32, scale float32)
TEXT ·rescaleAVX(SB), NOSPLIT, $0-56
	MOVQ y+0(FP), DI
	MOVQ acc+8(FP), SI
	MOVQ sums+16(FP), R8
	MOVQ scales+24(FP), R9
	MOVQ biases+32(FP), R10
	MOVQ n+40(FP), CX
	VBROADCASTSS zero+48(FP), Y14
	VBROADCASTSS scale+52(FP), Y15
	XORQ AX, AX

loop:
	VPMULLD (R8)(AX*4), Y14, Y1
	VMOVDQU (SI)(AX*4), Y0
	VPSUBD Y1, Y0, Y0
	VCVTDQ2PS Y0, Y0
	VMULPS (R9)(AX*4), Y0, Y0
	VMULPS Y15, Y0, Y0
	VADDPS (R10)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func extremesAVX(x *float32, n int) (low, high float32)
TEXT ·extremesAVX(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y2
	VMOVAPS Y0, Y1
	VMOVAPS Y2, Y3
	JMP next

loop:
	VMOVUPS (SI), Y4
	VMOVUPS 32(SI), Y5
	VMINPS Y4, Y0, Y0
	VMAXPS Y4, Y1, Y1
	VMINPS Y5, Y2, Y2
	VMAXPS Y5, Y3, Y3

next:
	ADDQ $64, SI
	SUBQ $16, CX
	JGT loop

	VMINPS Y2, Y0, Y0
	VMAXPS Y3, Y1, Y1
	VEXTRACTF128 $1, Y0, X2
	VEXTRACTF128 $1, Y1, X3
	VMINPS X2, X0, X0
	VMAXPS X3, X1, X1
	VMOVHLPS X0, X0, X2
	VMOVHLPS X1, X1, X3
	VMINPS X2, X0, X0
	VMAXPS X3, X1, X1
	VMOVSHDUP X0, X2
	VMOVSHDUP X1, X3
	VMINSS X2, X0, X0
	VMAXSS X3, X1, X1
	VMOVSS X0, low+16(FP)
	VMOVSS X1, high+20(FP)
	VZEROUPPER
	RET

// func levelsAVX(to *uint8, x *float32, n int, perUnit float32, zero int32)
TEXT ·levelsAVX(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VBROADCASTSS perUnit+24(FP), Y14
	VBROADCASTSS zero+28(FP), Y15

loop:
	VMULPS (SI), Y14, Y0
	VMULPS 32(SI), Y14, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPADDD Y15, Y0, Y0
	VPADDD Y15, Y1, Y1
	BYTES_16
	ADDQ $64, SI
	ADDQ $16, DI
	SUBQ $16, CX
	JGT loop
	VZEROUPPER
	RET

// func peaksAVX(to, x *float32, n int)
TEXT ·peaksAVX(SB), NOSPLIT, $0-24
	MOVQ to+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	VPCMPEQD Y15, Y15, Y15
	VPSRLD $1, Y15, Y15 // all bits but the sign

loop:
	VANDPS (SI), Y15, Y0
	VMAXPS (DI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	SUBQ $8, CX
	JGT loop
	VZEROUPPER
	RET

// func columnsAVX(to *uint8, x, perUnit *float32, n int)
TEXT ·columnsAVX(SB), NOSPLIT, $0-32
	MOVQ to+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ perUnit+16(FP), R8
	MOVQ n+24(FP), CX
	MOVL $128, AX
	VMOVD AX, X15
	VPBROADCASTD X15, Y15

loop:
	VMOVUPS (SI), Y0
	VMOVUPS 32(SI), Y1
	VMULPS (R8), Y0, Y0
	VMULPS 32(R8), Y1, Y1
	VCVTPS2DQ Y0, Y0
	VCVTPS2DQ Y1, Y1
	VPADDD Y15, Y0, Y0
	VPADDD Y15, Y1, Y1
	BYTES_16
	ADDQ $64, SI
	ADDQ $64, R8
	ADDQ $16, DI
	SUBQ $16, CX
	JGT loop
	VZEROUPPER
	RET

// func geluAVX(x *float32, n int, terms *float32, end float32)
TEXT ·geluAVX(SB), NOSPLIT, $0-28
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	MOVQ terms+16(FP), DX
	VBROADCASTSS end+24(FP), Y13
	VXORPS Y14, Y14, Y14
	VSUBPS Y13, Y14, Y14
	MOVL $0x3F000000, AX // 0.5
	VMOVD AX, X15
	VPBROADCASTD X15, Y15
	VBROADCASTSS (DX), Y4
	VBROADCASTSS 4(DX), Y5
	VBROADCASTSS 8(DX), Y6
	VBROADCASTSS 12(DX), Y7
	VBROADCASTSS 16(DX), Y8
	VBROADCASTSS 20(DX), Y9
	VBROADCASTSS 24(DX), Y10
	VBROADCASTSS 28(DX), Y11
	VBROADCASTSS 32(DX), Y12

loop:
	VMOVUPS (SI), Y0
	VMINPS Y13, Y0, Y1
	VMAXPS Y14, Y1, Y1
	VMULPS Y1, Y1, Y2
	VMULPS Y4, Y2, Y3
	VADDPS Y5, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y6, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y7, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y8, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y9, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y10, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y11, Y3, Y3
	VMULPS Y2, Y3, Y3
	VADDPS Y12, Y3, Y3
	VMULPS Y1, Y3, Y3
	VADDPS Y15, Y3, Y3
	VMULPS Y0, Y3, Y3
	VMOVUPS Y3, (SI)
	ADDQ $32, SI
	SUBQ $8, CX
	JGT loop
	VZEROUPPER
	RET

// EXPONENT makes 255·exp(x-highest), as a whole number, of the numbers at x.
#define EXPONENT(x, r, h) \
	VMOVUPS x, r;       \
	VSUBPS Y4, r, r;    \
	VMAXPS Y5, r, r;    \
	VMULPS Y6, r, r;    \
	VMULPS r, Y7, h;    \
	VADDPS Y8, h, h;    \
	VMULPS r, h, h;     \
	VADDPS Y9, h, h;    \
	VMULPS r, h, h;     \
	VADDPS Y10, h, h;   \
	VMULPS r, h, h;     \
	VADDPS Y11, h, h;   \
	VMULPS r, h, h;     \
	VADDPS Y12, h, h;   \
	VMULPS h, h, h;     \
	VMULPS h, h, h;     \
	VMULPS h, h, h;     \
	VMULPS Y13, h, h;   \
	VADDPS Y14, h, h;   \
	VCVTTPS2DQ h, h

// func weighAVX(to *uint8, x *float32, n int, terms *float32, highest, end float32) (sum int32)
TEXT ·weighAVX(SB), NOSPLIT, $0-44
	MOVQ to+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	MOVQ terms+24(FP), DX
	VBROADCASTSS highest+32(FP), Y4
	VBROADCASTSS end+36(FP), Y5
	MOVL $0x3E000000, AX // 0.125
	VMOVD AX, X6
	VPBROADCASTD X6, Y6
	MOVL $0x437F0000, AX // 255
	VMOVD AX, X13
	VPBROADCASTD X13, Y13
	MOVL $0x3F000000, AX // 0.5
	VMOVD AX, X14
	VPBROADCASTD X14, Y14
	VBROADCASTSS (DX), Y7
	VBROADCASTSS 4(DX), Y8
	VBROADCASTSS 8(DX), Y9
	VBROADCASTSS 12(DX), Y10
	VBROADCASTSS 16(DX), Y11
	VBROADCASTSS 20(DX), Y12
	VPXOR Y15, Y15, Y15

loop:
	EXPONENT((SI), Y2, Y0)
	EXPONENT(32(SI), Y3, Y1)
	VPADDD Y0, Y15, Y15
	VPADDD Y1, Y15, Y15
	BYTES_16
	ADDQ $64, SI
	ADDQ $16, DI
	SUBQ $16, CX
	JGT loop

	VEXTRACTI128 $1, Y15, X0
	VPADDD X0, X15, X0
	VPSHUFD $0x4E, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xB1, X0, X1
	VPADDD X1, X0, X0
	VMOVD X0, AX
	MOVL AX, sum+40(FP)
	VZEROUPPER
	RET

// func sumAVX(x *float32, n int) float32
TEXT ·sumAVX(SB), NOSPLIT, $0-20
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VXORPS Y0, Y0, Y0

loop:
	VADDPS (SI), Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JGT loop
	TOGETHER
	VMOVSS X0, ret+16(FP)
	VZEROUPPER
	RET

// func squaresAVX(x *float32, n int, mean float32) float32
TEXT ·squaresAVX(SB), NOSPLIT, $0-28
	MOVQ x+0(FP), SI
	MOVQ n+8(FP), CX
	VBROADCASTSS mean+16(FP), Y15
	VXORPS Y0, Y0, Y0

loop:
	VMOVUPS (SI), Y1
	VSUBPS Y15, Y1, Y1
	VMULPS Y1, Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $32, SI
	SUBQ $8, CX
	JGT loop
	TOGETHER
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// func standardiseAVX(x, gamma, beta *float32, n int, mean, perDeviation float32)
TEXT ·standardiseAVX(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), DI
	MOVQ gamma+8(FP), SI
	MOVQ beta+16(FP), R8
	MOVQ n+24(FP), CX
	VBROADCASTSS mean+32(FP), Y14
	VBROADCASTSS perDeviation+36(FP), Y15
	XORQ AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VSUBPS Y14, Y0, Y0
	VMULPS Y15, Y0, Y0
	VMULPS (SI)(AX*4), Y0, Y0
	VADDPS (R8)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET

// func addAVX(x, y *float32, n int)
TEXT ·addAVX(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

loop:
	VMOVUPS (DI)(AX*4), Y0
	VADDPS (SI)(AX*4), Y0, Y0
	VMOVUPS Y0, (DI)(AX*4)
	ADDQ $8, AX
	CMPQ AX, CX
	JLT loop
	VZEROUPPER
	RET
