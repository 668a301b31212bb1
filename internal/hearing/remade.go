package hearing

// How far a number may be from what stands to correct it.
const (
	nearPeople = 2
	nearHours  = 2
)

// hearRemade hears whether the bare number that something is made counts people:
// "make it six, my sister is coming". It says whether it is no time for certain. Where
// nothing tells, what is near to what stands is meant; where both are, it is asked.
// The phrase that makes it so stands from word from up to word to.
func (e whenReader) hearRemade(from, to int) bool {
	if e.Coming == 0 || !e.takesParties() || !e.Standing.Timed || e.Expect == SlotTime || e.Expect == SlotChoice {
		return false
	}
	words := e.words.words
	for i := from; i < to; i++ {
		n, taken := e.numberAt(words, i)
		if taken == 0 {
			continue
		}
		at := [2]int{words[i].Start, words[i+taken-1].End}
		if touches(words[i], append(e.otherNumbers(), e.phoneAt, e.emailAt, e.codeAt)) || !partyReader(e).endsCount(words, i, i+taken) {
			return false
		}
		people, hours := away(n, e.Coming) <= nearPeople, e.nearHour(n)
		switch {
		case e.hears("party_changes", words) || people && !hours:
			e.remade, e.partyAt = n, at
			return true
		case people == hours && n != e.Coming:
			e.MaybeParty, e.partyAt = n, at
		}
		return false
	}
	return false
}

// nearHour says whether a number is an hour near the one that stands.
func (e whenReader) nearHour(n int) bool {
	if n > 24 {
		return false
	}
	h := away(n, e.Standing.Clock.Hour) % 12
	return min(h, 12-h) <= nearHours
}

func away(a, b int) int { return max(a-b, b-a) }
