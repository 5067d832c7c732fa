package lexical

import "strings"

// The lists hold folded words (no accents, no apostrophes).

var englishStops = wordSet(`
a about above after again against all also am an and any are arent as at be because been before being below between
both but by can cant cannot could couldnt did didnt do does doesnt doing dont down during each either few for from further
had hadnt has hasnt have havent having he her here hers herself him himself his how however i id if ill im in into is isnt it
its itself ive just let lets me more most much must my myself no nor not of off on once only or other ought our ours ourselves
out over own per same shall she should shouldnt so some such than that thats the their theirs them themselves then there theres
these they theyre this those through to too under until up upon us very was wasnt we were werent weve what whats when where whether
which while who whom whose why will with within without wont would wouldnt yet you your youre yours yourself yourselves`)

var spanishStops = wordSet(`
a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada como con contra cual cuales
cuando cuanto de del desde donde dos durante e el ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta estaba
estaban estamos estan estar estas este esto estos estoy fue fueron fui ha habia habian han has hasta hay he hemos la las le les lo los mas me
mi mia mias mientras mio mis mucho muchos muy nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros
para pero poco por porque pues que quien quienes se sea sean segun ser si sido siempre sin sobre sois solo somos son soy su sus suya suyo tal
tambien tampoco tan tanto te tenemos tenia tengo ti tiene tienen toda todas todo todos tu tus tuya tuyo u un una unas uno unos usted ustedes y ya yo`)

// askingWords carry a request rather than its subject. In a question they
// count little; in a document they are words like any other.
var askingWords = wordSet(`
describe explain find give happen happened happens help know list need please show tell want
dame describe dime encontrar explica muestra necesito quiero saber`)

// askingWeight is what such a word is worth beside one that names something.
const askingWeight = 0.3

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
