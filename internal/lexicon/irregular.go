package lexicon

import "strings"

// The stemmers take endings off and know nothing of vowels that change inside a
// word: "cierran" and "cerrar", "bought" and "buy". Here stand the words that
// change so, folded. Forms that are another word as well, as "vino" and "left",
// are left out.

// changing are Spanish verbs whose vowel changes where the stress falls on it:
// the stem of the infinitive, its ending, and the stem that it changes to.
const changing = `
cerr ar cierr, empez ar empiez, comenz ar comienz, pens ar piens, calent ar calient, despert ar despiert, recomend ar recomiend, 
perd er pierd, entend er entiend, atend er atiend, encend er enciend, extend er extiend, defend er defiend, prefer ir prefier, suger ir sugier,
requer ir requier, divert ir diviert, ment ir mient, convert ir conviert, neg ar nieg, reg ar rieg, freg ar frieg, confes ar confies, tembl ar tiembl,
encontr ar encuentr, mostr ar muestr, demostr ar demuestr, acost ar acuest, almorz ar almuerz, aprob ar aprueb, comprob ar comprueb, prob ar prueb,
record ar recuerd, cost ar cuest, descont ar descuent, colg ar cuelg, son ar suen, sold ar sueld, jug ar jueg, apost ar apuest, renov ar renuev,
volv er vuelv, devolv er devuelv, resolv er resuelv, envolv er envuelv, mov er muev, dol er duel, mord er muerd, llov er lluev, dorm ir duerm, mor ir muer,
ped ir pid, desped ir despid, serv ir sirv, repet ir repit, segu ir sigu, consegu ir consigu, correg ir corrij, eleg ir elig, vest ir vist, med ir mid,
imped ir impid, despleg ar desplieg, apret ar apriet, quebr ar quiebr, acert ar aciert, gobern ar gobiern
`

// irregularSpanish are other forms, each line after the word it belongs to.
const irregularSpanish = `
dar doy das da damos dais dan den deis demos dio dieron daba daban dara daran daria darian dariais dando dado dadle darme darle darnos
venir vengo vienes viene venis vienen venimos venga vengas vengan vinieron vendra vendran vendria vendrian viniendo
ver veo ves ve vemos veis vea vean veas visto vio vieron viendo vere vera
poner pongo pones pone ponemos poneis ponen ponga pongan pongas puso pusieron pondra pondria pondriais poniendo
salir salgo salga salgan saldra saldria
traer traigo traiga traigan traigas trajo trajeron trayendo
decir digo dice dicen dices decis diga digan dijo dijeron dicho diciendo
saber sepa sepan sepas supo sabria
caber cabe cabemos cabeis caben quepa quepo cabriamos
querer quiere quieren quieres quereis quisieramos
tener tendre tendra tendremos tuvo tuve tuvieron teniendo tenido
poder podre puedes pudo pudiera pudieramos pudiendo
hacer haga hagan hagas hagais hice hicieron hara haran harian hariais haciendo hecho hecha
ir vaya vayan vayas vayamos yendo ido
oir oye oyen oigo oiga
conocer conozco conozca
conducir conduzco conduzca condujo
romper roto rota rotos rotas
abrir abierto abierta abiertos abiertas
escribir escrito escrita
morir muerto muerta muertos murio
volver vuelto vuelta
devolver devuelto devuelta devueltos
resolver resuelto resuelta
imprimir impreso impresa impresos
pagar pague pagues paguen pague
llegar llegue llegues lleguen
entregar entregue entreguen
recoger recoja recojo recojan
elegir elijo elija
coger cojo coja cojan
tocar toque toquen
sacar saque saquen saqueis
aparcar aparque aparquen
buscar busque busquen
explicar explique expliquen
dormir durmio durmiendo
pedir pidio pidiendo pidieron
jugar juegue jueguen
empezar empiece empiecen
utilizar utilice utilicen
reir rie rien
incluir incluye incluyen incluya
sustituir sustituye sustituyen sustituya
construir construye construyen
huir huye huyen
enviar envio envia envian envie envien envias
nino ninito ninita ninitos ninitas
ano anito anitos
pequeno pequenito pequenita pequenin pequenina
perro perrito perrita perritos
gato gatito gatita gatitos
`

const irregularEnglish = `
go goes went gone
come came
take took taken
give gave given
bring brought
buy bought
catch caught
teach taught
think thought
sell sold
tell told
hold held
keep kept
sleep slept
lose lost
send sent
spend spent
lend lent
build built
feel felt
meet met
pay paid
say said
make made
run ran
begin began begun
drink drank drunk
swim swam swum
ring rang rung
wear wore worn
tear tore torn
break broke broken
speak spoke spoken
choose chose chosen
freeze froze frozen
steal stole stolen
wake woke woken
drive drove driven
ride rode ridden
write wrote written
eat ate eaten
fall fell fallen
grow grew grown
know knew known
fly flew flown
throw threw thrown
draw drew drawn
show shown
see seen
do done
stick stuck
hang hung
dig dug
win won
sit sat
stand stood
understand understood
forget forgot forgotten
shake shook shaken
hide hid hidden
bite bitten
feed fed
find found
become became
hear heard
mean meant
learn learnt
burn burnt
smell smelt
spill spilt
spoil spoilt
dream dreamt
sweep swept
deal dealt
bleed bled
breed bred
sew sewn
child children
tooth teeth
foot feet
man men
woman women
mouse mice
knife knives
wife wives
half halves
shelf shelves
loaf loaves
scarf scarves
calf calves
tie tying
die dying
lie lying
`

// compared are English adjectives that grow by -er and -est.
const compared = `
cheap dear large old young long short small tall high low warm cold hot cool near close wide narrow thick thin fast slow quick quiet loud clean strong
weak hard soft light dark bright big fat wet dry early late easy heavy busy healthy tasty dirty happy pretty noisy safe nice fine strict few
`

// irregular leads from a form to its base form, by language.
var irregular = map[string]map[string]string{
	Spanish: withChanging(forms(irregularSpanish)),
	English: withCompared(forms(irregularEnglish)),
}

func forms(list string) map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		for i, w := range words {
			if i > 0 {
				all[w] = words[0]
			}
		}
	}
	return all
}

func withChanging(all map[string]string) map[string]string {
	for verb := range strings.SplitSeq(changing, ",") {
		f := strings.Fields(verb)
		for ending := range strings.SplitSeq("o as a an es e en", " ") {
			if form := f[2] + ending; !nouns[form] {
				all[form] = f[0] + f[1]
			}
		}
	}
	return all
}

// nouns look like forms of changing verbs and are more often nouns.
var nouns = set("cuento cuenta cuelo suelo duelo duela rueda ruedo riego juego sueno sueldo media medio pienso")

func withCompared(all map[string]string) map[string]string {
	for w := range strings.FieldsSeq(compared) {
		stem := strings.TrimSuffix(w, "e")
		if y, ok := strings.CutSuffix(w, "y"); ok {
			stem = y + "i"
		}
		if doubling[w] {
			stem += stem[len(stem)-1:]
		}
		all[stem+"er"], all[stem+"est"] = w, w
	}
	delete(all, "later") // a word of time
	return all
}

// doubling are the adjectives that double their last letter: "bigger".
var doubling = set("big hot fat wet thin")
