package reader

import "golang.org/x/sys/cpu"

func fastPaths() (all []path) {
	if !cpu.X86.HasAVX2 {
		return nil
	}
	p := withAVX(portable())
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512VNNI {
		p.name, p.multiply = "AVX-512 VNNI", tiled(tile{6, 64, vnni6x64}, tile{6, 16, vnni6x16}, tile{1, 16, vnni1x16})
		all = append(all, p)
	}
	if cpu.X86.HasAVXVNNI {
		p.name, p.multiply = "AVX-VNNI", tiled(tile{6, 16, avxvnni6x16}, tile{1, 16, avx1x16})
		all = append(all, p)
	}
	p.name, p.multiply = "AVX2", tiled(tile{4, 16, avx4x16}, tile{1, 16, avx1x16})
	return append(all, p)
}

//go:noescape
func vnni6x64(c *int32, a *uint8, b *int8, k, n int)

//go:noescape
func vnni6x16(c *int32, a *uint8, b *int8, k, n int)

//go:noescape
func vnni1x16(c *int32, a *uint8, b *int8, k, n int)

//go:noescape
func avx4x16(c *int32, a *uint8, b *int8, k, n int)

//go:noescape
func avx1x16(c *int32, a *uint8, b *int8, k, n int)

//go:noescape
func avxvnni6x16(c *int32, a *uint8, b *int8, k, n int)
