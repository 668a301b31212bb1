#include "textflag.h"

// What numbers.go does, four numbers at a time, in the same steps: never a product and a
// sum at once. n is a multiple of 16.

// The assembler does not know these.
#define FMUL(d, n, m) WORD $(0x6E20DC00 | (m)<<16 | (n)<<5 | (d))
#define FADD(d, n, m) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB(d, n, m) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define FMAX(d, n, m) WORD $(0x4E20F400 | (m)<<16 | (n)<<5 | (d))
#define FMIN(d, n, m) WORD $(0x4EA0F400 | (m)<<16 | (n)<<5 | (d))
#define MUL(d, n, m) WORD $(0x4EA09C00 | (m)<<16 | (n)<<5 | (d))
#define SCVTF(d, n) WORD $(0x4E21D800 | (n)<<5 | (d))
#define FCVTNS(d, n) WORD $(0x4E21A800 | (n)<<5 | (d)) // to the nearest, even
#define FCVTZS(d, n) WORD $(0x4EA1B800 | (n)<<5 | (d)) // towards zero
#define SQXTN(d, n) WORD $(0x0E614800 | (n)<<5 | (d))
#define SQXTN2(d, n) WORD $(0x4E614800 | (n)<<5 | (d))
#define SQXTUN(d, n) WORD $(0x2E212800 | (n)<<5 | (d))
#define SQXTUN2(d, n) WORD $(0x6E212800 | (n)<<5 | (d))
#define FMAXV(d, n) WORD $(0x6E30F800 | (n)<<5 | (d))
#define FMINV(d, n) WORD $(0x6EB0F800 | (n)<<5 | (d))

// BYTES_16 stores the numbers of V0 to V3 as 16 bytes, from 0 to 255.
#define BYTES_16 \
	SQXTN(0, 0);   \
	SQXTN2(0, 1);  \
	SQXTN(2, 2);   \
	SQXTN2(2, 3);  \
	SQXTUN(0, 0);  \
	SQXTUN2(0, 2); \
	VST1.P [V0.B16], 16(R0)

// func rescaleNEON(y *float32, acc, sums *int32, scales, biases *float32, n int, zero int32, scale float32)
TEXT ·rescaleNEON(SB), NOSPLIT, $0-56
	MOVD y+0(FP), R0
	MOVD acc+8(FP), R1
	MOVD sums+16(FP), R2
	MOVD scales+24(FP), R3
	MOVD biases+32(FP), R4
	MOVD n+40(FP), R5
	FMOVS zero+48(FP), F30
	FMOVS scale+52(FP), F31
	VDUP V30.S[0], V30.S4
	VDUP V31.S[0], V31.S4

loop:
	VLD1.P 32(R1), [V0.S4, V1.S4]
	VLD1.P 32(R2), [V2.S4, V3.S4]
	VLD1.P 32(R3), [V4.S4, V5.S4]
	VLD1.P 32(R4), [V6.S4, V7.S4]
	MUL(2, 2, 30)
	MUL(3, 3, 30)
	VSUB V2.S4, V0.S4, V0.S4
	VSUB V3.S4, V1.S4, V1.S4
	SCVTF(0, 0)
	SCVTF(1, 1)
	FMUL(0, 0, 4)
	FMUL(1, 1, 5)
	FMUL(0, 0, 31)
	FMUL(1, 1, 31)
	FADD(0, 0, 6)
	FADD(1, 1, 7)
	VST1.P [V0.S4, V1.S4], 32(R0)
	SUBS $8, R5
	BGT loop
	RET

// func extremesNEON(x *float32, n int) (low, high float32)
TEXT ·extremesNEON(SB), NOSPLIT, $0-24
	MOVD x+0(FP), R1
	MOVD n+8(FP), R5
	VLD1 (R1), [V0.S4, V1.S4]
	VMOV V0.B16, V2.B16
	VMOV V1.B16, V3.B16

loop:
	VLD1.P 32(R1), [V4.S4, V5.S4]
	FMIN(0, 0, 4)
	FMIN(1, 1, 5)
	FMAX(2, 2, 4)
	FMAX(3, 3, 5)
	SUBS $8, R5
	BGT loop

	FMIN(0, 0, 1)
	FMAX(2, 2, 3)
	FMINV(0, 0)
	FMAXV(2, 2)
	FMOVS F0, low+16(FP)
	FMOVS F2, high+20(FP)
	RET

// LEVELS makes whole numbers of V0 to V3, whose units are in the others, and adds V31.
#define LEVELS(u0, u1, u2, u3) \
	FMUL(0, 0, u0);            \
	FMUL(1, 1, u1);            \
	FMUL(2, 2, u2);            \
	FMUL(3, 3, u3);            \
	FCVTNS(0, 0);              \
	FCVTNS(1, 1);              \
	FCVTNS(2, 2);              \
	FCVTNS(3, 3);              \
	VADD V31.S4, V0.S4, V0.S4; \
	VADD V31.S4, V1.S4, V1.S4; \
	VADD V31.S4, V2.S4, V2.S4; \
	VADD V31.S4, V3.S4, V3.S4

// func levelsNEON(to *uint8, x *float32, n int, perUnit float32, zero int32)
TEXT ·levelsNEON(SB), NOSPLIT, $0-32
	MOVD to+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R5
	FMOVS perUnit+24(FP), F30
	FMOVS zero+28(FP), F31
	VDUP V30.S[0], V30.S4
	VDUP V31.S[0], V31.S4

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	LEVELS(30, 30, 30, 30)
	BYTES_16
	SUBS $16, R5
	BGT loop
	RET

// func columnsNEON(to *uint8, x, perUnit *float32, n int)
TEXT ·columnsNEON(SB), NOSPLIT, $0-32
	MOVD to+0(FP), R0
	MOVD x+8(FP), R1
	MOVD perUnit+16(FP), R2
	MOVD n+24(FP), R5
	MOVW $128, R6
	VMOV R6, V31.S4

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1.P 64(R2), [V4.S4, V5.S4, V6.S4, V7.S4]
	LEVELS(4, 5, 6, 7)
	BYTES_16
	SUBS $16, R5
	BGT loop
	RET

// GELU_TERM goes on with the polynomials of V4 and V5, whose squares are in V6 and V7.
#define GELU_TERM(t) \
	FMUL(4, 4, 6); \
	FMUL(5, 5, 7); \
	FADD(4, 4, t); \
	FADD(5, 5, t)

// func geluNEON(x *float32, n int, terms *float32, end float32)
TEXT ·geluNEON(SB), NOSPLIT, $0-28
	MOVD x+0(FP), R1
	MOVD n+8(FP), R5
	MOVD terms+16(FP), R2
	FMOVS end+24(FP), F29
	VDUP V29.S[0], V29.S4
	VEOR V30.B16, V30.B16, V30.B16
	FSUB(30, 30, 29)
	MOVW $0x3F000000, R6 // 0.5
	VMOV R6, V31.S4
	VLD1R.P 4(R2), [V16.S4]
	VLD1R.P 4(R2), [V17.S4]
	VLD1R.P 4(R2), [V18.S4]
	VLD1R.P 4(R2), [V19.S4]
	VLD1R.P 4(R2), [V20.S4]
	VLD1R.P 4(R2), [V21.S4]
	VLD1R.P 4(R2), [V22.S4]
	VLD1R.P 4(R2), [V23.S4]
	VLD1R.P 4(R2), [V24.S4]

loop:
	VLD1 (R1), [V0.S4, V1.S4]
	FMIN(2, 0, 29)
	FMIN(3, 1, 29)
	FMAX(2, 2, 30)
	FMAX(3, 3, 30)
	FMUL(6, 2, 2)
	FMUL(7, 3, 3)
	VMOV V16.B16, V4.B16
	VMOV V16.B16, V5.B16
	GELU_TERM(17)
	GELU_TERM(18)
	GELU_TERM(19)
	GELU_TERM(20)
	GELU_TERM(21)
	GELU_TERM(22)
	GELU_TERM(23)
	GELU_TERM(24)
	FMUL(4, 4, 2)
	FMUL(5, 5, 3)
	FADD(4, 4, 31)
	FADD(5, 5, 31)
	FMUL(0, 0, 4)
	FMUL(1, 1, 5)
	VST1.P [V0.S4, V1.S4], 32(R1)
	SUBS $8, R5
	BGT loop
	RET

// EXPONENT makes 255·exp(x-highest), as a whole number, of the numbers of x.
#define EXPONENT(x, h) \
	FSUB(x, x, 25);  \
	FMAX(x, x, 26);  \
	FMUL(x, x, 27);  \
	FMUL(h, x, 16);  \
	FADD(h, h, 17);  \
	FMUL(h, h, x);   \
	FADD(h, h, 18);  \
	FMUL(h, h, x);   \
	FADD(h, h, 19);  \
	FMUL(h, h, x);   \
	FADD(h, h, 20);  \
	FMUL(h, h, x);   \
	FADD(h, h, 21);  \
	FMUL(h, h, h);   \
	FMUL(h, h, h);   \
	FMUL(h, h, h);   \
	FMUL(h, h, 28);  \
	FADD(h, h, 29);  \
	FCVTZS(x, h)

// func weighNEON(to *uint8, x *float32, n int, terms *float32, highest, end float32) (sum int32)
TEXT ·weighNEON(SB), NOSPLIT, $0-44
	MOVD to+0(FP), R0
	MOVD x+8(FP), R1
	MOVD n+16(FP), R5
	MOVD terms+24(FP), R2
	FMOVS highest+32(FP), F25
	FMOVS end+36(FP), F26
	VDUP V25.S[0], V25.S4
	VDUP V26.S[0], V26.S4
	MOVW $0x3E000000, R6 // 0.125
	VMOV R6, V27.S4
	MOVW $0x437F0000, R6 // 255
	VMOV R6, V28.S4
	MOVW $0x3F000000, R6 // 0.5
	VMOV R6, V29.S4
	VLD1R.P 4(R2), [V16.S4]
	VLD1R.P 4(R2), [V17.S4]
	VLD1R.P 4(R2), [V18.S4]
	VLD1R.P 4(R2), [V19.S4]
	VLD1R.P 4(R2), [V20.S4]
	VLD1R.P 4(R2), [V21.S4]
	VEOR V30.B16, V30.B16, V30.B16

loop:
	VLD1.P 64(R1), [V0.S4, V1.S4, V2.S4, V3.S4]
	EXPONENT(0, 4)
	EXPONENT(1, 5)
	EXPONENT(2, 6)
	EXPONENT(3, 7)
	VADD V0.S4, V30.S4, V30.S4
	VADD V1.S4, V30.S4, V30.S4
	VADD V2.S4, V30.S4, V30.S4
	VADD V3.S4, V30.S4, V30.S4
	BYTES_16
	SUBS $16, R5
	BGT loop

	VADDV V30.S4, V30
	VMOV V30.S[0], R6
	MOVW R6, sum+40(FP)
	RET
