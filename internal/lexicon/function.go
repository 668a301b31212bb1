package lexicon

import "strings"

// The words below are folded. They come in three kinds, because a question is
// made of all three: grammar, which says nothing about what is asked; manners,
// which callers wrap around it; and light words, which say a little.

const grammarSpanish = `
a al algo alguien algun alguna algunas alguno algunos alla alli ambos ante aquel aquella aquellas aquello
aquellos aqui asi aun aunque cada como con contra cual cuales cualquier cualquiera cuando cuanta cuantas cuanto cuantos
cuya cuyas cuyo cuyos de del desde donde dos durante e el ella ellas ello ellos en entre era eran eres es esa esas
ese eso esos esta estaba estaban estado estamos estan estar estara estas este esto estos estoy etc fue
fueron ha haber habia habian habra han has hasta hay haya he hemos hizo hubo i la las le les lo los mas me mi mia
mientras mio mis misma mismas mismo mismos muy nada ni ningun ninguna ninguno no nos nosotros nuestra
nuestras nuestro nuestros o os otra otras otro otros para pero por porque pues puede pueden puedo podeis podemos podia podria podrian podriais podrias
que quien quienes se sea sean segun ser sera seran si sido siendo sin sino sobre sois solo somos son soy
su sus suya suyo tal tambien tampoco tan tanta tanto te tenemos tener teneis tenga tengan tengo tenia ti tiene tienen tienes
toda todas todavia todo todos tras tu tus un una unas uno unos usted ustedes va vais vamos van vosotros voy vuestra vuestras
vuestro vuestros y ya yo hace hacen hacer haceis hago haria hacemos ir deberia estais estamos seria serian tendria tendrian habria podre podra podran podremos pueda puedan queda irme somos erais iba ibamos fui fuimos debo debe deben
ahi bien entonces mal menudo igualmente hariais harian hara haran hagais haga hagan hagas hice hecho tendre tendra tendremos puedes pudiera pudieramos pudiese hubiera hubiese fuera fuese fuesemos
seremos sere eramos estuviera estuve estuvo estare estaremos he habeis vaya vayas vayamos vayan asi siquiera vosotras nosotras conmigo contigo consigo mediante excepto salvo
`

const grammarEnglish = `
a about above after again against all also although am an and any anybody anyone anything are aren arent as at be
because been before being below between both but by can cannot cant could couldn couldnt d did didn didnt do does
doesn doesnt doing don dont down during each either else etc ever every few for from further get gets getting got had has
have haven havent having he her here hers herself him himself his how i id if ill im in into is isn isnt it its itself ive
just let lets ll m many me might more most much must my myself no nor not of off on once one ones only or other others
ought our ours ourselves out over own re s same shall she should shouldn shouldnt since so some somebody someone something
still such t than that thats the their theirs them themselves then there theres these they theyre theyve this those though
through to too under until up upon us ve very was wasn wasnt we wed well were weve hes shes hed youd youll theyd id ill mine weren werent what whats whatever when whenever where wheres which
while who whom whose why will with within without won wont would wouldn wouldnt yet you your youre yours yourself youve
thatll dyou whatll itll therell wouldve couldve shouldve mightve itd thatd whod wholl whos hows heres gonna gotta kinda lemme gimme dunno innit ya yall aint
cos coz cuz till til along across among per plus via ain everybody everyone nobody none nothing whether whats oneself themself towards toward onto unless instead
done goes went gone came
`

const mannersSpanish = `
hola oye oiga ay ah eee mmm adios saludos buen oigan oiganme buenas buenos perdon perdona perdone disculpa disculpe disculpen gracias favor porfa porfavor bueno vale
eh em pues mire mira quisiera querria queria quiero queremos gustaria saber decir decirme dime digame digan sabe saben sabes sabeis podria ayudar pregunta
preguntar preguntaba duda tal vez quiza quizas acaso ok okey verdad llamaba llamo interesa interesado necesito necesitamos necesitaria
hey holi buenasss muchas muchisimas amable atentamente entiendo tranquilo encantado consulto consultaba consultar informarme informacion informaros explicarme comentar comentarle
`

const mannersEnglish = `
hi hello hey um umm ummm uh uhh er erm hmm hm mm mhm ah awesome nice cool bye goodbye lovely cheers gday please thanks thank ok okay sorry excuse wondering wonder tell know say well actually perfect great
sounds good yeah yes yep alright right sure want wanted wanna like love need needs question ask asking help could maybe perhaps so
oh also really quick kind sort
wants wanting needed needing asked curious guess suppose mate folks greetings dear appreciate info information details possibly possible
`

// Light words are matched by their stems.

const lightSpanish = `
abuelo abuela acabar agarrar ahora alto amigo amiga ano antes apetecer aprovechar ayer bajar bastar buscar caber cada caer cambiar casa caso casi
cerca chico cien claro coger comprar conseguir contar convenir correr cosa cuarto cuidar cumplir dar decir dejar deber dedicar despues dia disponer disponible
echar empezar encantar encima encontrar ensenar entender entrar enviar escribir esperar estar existir familia faltar fecha forma funcionar ganar gente grande
gustar haber hablar hacer hermana hermano hijo hija hora hoy igual importar incluir incluso incluido intentar ir junto lado largo lejos lleno llegar llevar llamar
lugar luego madre mama manana mandar manera marido mas mayor medio mejor menos mes meter mil mirar mismo momento montar mover mucho mujer nino necesitar
noche nombre normal normalmente novia novio nuevo nunca numero ofrecer oir olvidar ocurrir padre papa parecer parte pasar pedir pelin pensar pequeno perder permitir persona
poco poder poner posible preferir preguntar primero pronto probar proximo quedar querer quitar rapido rato recibir recoger recomendar regalar repetir resultar
saber sacar salir seguir segundo semana senor senora sentar ser servir siempre significar situar sobrino solamente subir suegra suponer tardar tarde tema tener terminar
tiempo tipo tirar tocar todavia tomar trabajar traer tratar ultimo unico usar utilizar valer varios venir ver verdad vez viajar vida viejo visitar vivir volver
clase sitio tio tia bebe gustaria ademas cuenta menor nadie
anda andar aprender aquello arriba abajo adelante atras dentro detras delante apenas bonito bueno malo barato cantidad calidad comenzar conocer considerar continuar cosilla creer cualquiera
curioso demas demasiado depender desear diferente dificil directamente distinto facil feliz final fin fuerte general genial guapo hombre idea ideal importante
imposible interesar joven justo listo llevarse maximo mayoria minimo minuto mitad modo mundo necesario negocio normalito ojala opcion par parar pareja perfecto plan
plazo practico principio problema propio puro querido razon realmente rollo sencillo sentir simple simplemente sobra sobrar solucion soler tampoco tranquilo tremendo
util vecino ventaja vuelta abuelos ninos nena nene chaval chavala crio senorita caballero companero jefe primo prima cunado suegro nieto nieta marido esposa esposo
`

const lightEnglish = `
able actually add afternoon ago allow already always anyway anywhere around arrive ask available away back bad become begin believe big bit bring brother buy call care carry
case catch change child children choose come couple course day decide different drop early else end enough evening ever everyone everything exactly expect
fall family far father feel few fill find fine finish first follow forget friend full girl give go going gone good great grandma grandson guy guys half hand happen happy hard hear hello
help here hold home hope hour husband idea include instead join keep kid kind know last late later learn leave left lend less little live local long look lose lot lots mad make man
many matter mean mention mine minute moment month morning move mum mom much myself name near nearby need new next nice niece nephew night normally nothing number offer often old once only
own pass people perhaps person pick place plan please point possible prefer pretty probably provide put quick quickly quite rather reach ready real receive recommend remember right round run same save saw say second
see seem sell send set short show sister sit small somebody somewhere son daughter soon sort special stand start stay still stop stuff suppose sure take talk thing think through time today together
tomorrow tonight try turn type understand use used usual usually visit wait walk want watch way week weekend weekday wife within without woman wonder work world worry worth write wrong year yesterday young mother dad
boyfriend girlfriend partner baby cousin uncle aunt lady gentleman sir madam folks
advance ahead alone apart average basically beautiful behind below beside better best boss certain check clear common complete completely concern consider
continue correct couple current depend difference difficult direct directly easy either entire especially even eventually exact extra fact fair fast favourite favorite finally
front fun funny further future general gentle given glad grab guess handle happen hate heavy high huge imagine important impossible interest interested involve issue
lad lass large later least let likely list low main major manage mate maximum maybe meant mind minimum miss missus moment mostly neighbour neighbor none normal obvious
okay option ordinary otherwise overall particular past perfect poor popular problem proper properly quality question range realise reason regular regularly
related remain require result rid rush seriously several side similar simple simply situation slightly slow slowly solution somehow sometimes spend
straight strange stuck sudden suggest suit supposed teenager term terrible tiny tip top total totally tough trouble twice unfortunately various version view wee weird
whole wide wish within yourself youngster pal mates buddy granny gran grandad grandpa nan toddler teen
`

func set(lists ...string) map[string]bool {
	all := map[string]bool{}
	for _, list := range lists {
		for _, w := range strings.Fields(list) {
			all[w] = true
		}
	}
	return all
}

func stemmed(lang, list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[Stem(lang, w)] = true
	}
	return all
}

var (
	grammar = map[string]map[string]bool{Spanish: set(grammarSpanish), English: set(grammarEnglish)}
	manners = map[string]map[string]bool{Spanish: set(mannersSpanish), English: set(mannersEnglish)}
	light   = map[string]map[string]bool{Spanish: stemmed(Spanish, lightSpanish), English: stemmed(English, lightEnglish)}
)

// Grammar tells whether a folded word only holds sentences of the language
// together.
func Grammar(lang, word string) bool { return grammar[lang][word] }

// Manners tells whether callers say a folded word around what they ask.
func Manners(lang, word string) bool { return manners[lang][word] }

// Light tells whether a folded word says little about what is asked.
func Light(lang, word string) bool { return LightStem(lang, Stem(lang, word)) }

// LightStem is Light for a word whose stem is known.
func LightStem(lang, stem string) bool { return light[lang][stem] }
