// Written by `REDRAW=1 cargo test -p live --test trained names`: what is named, by which word, in which text.
live.figure(`
animal	2	at last victor slept in the loft near paula .
animal	4	cedric called the parrot emma .
person	2	damian helped daisy and saw the grey rope inside an old trunk .
person	3	florian 's son paul is a gardener and plants young trees most days .
person	5	it gets some seeds from lukas .
animal	5	leonie 's donkey was called sophie . leonie liked leonie 's patient friend claudia .
animal	2	she saw nina at the lake beside a swan on the water .
person	10	the leaves fly around because the wind blows , and nora is angry .
animal	8	the name of elsa 's brown snake was helen .
person	6	the rice tastes plain , and felix is glad .
person	3	the name of martha 's white mouse was martin .
animal	4	henry calls the goose anna .
animal	2	adam brings lukas back to jenny .
person	9	rose likes an old chicken with golden skin . rose has a new green spoon .
animal	6	late on wednesday night eveline takes susan for a walk .
person	3	the name of adam 's golden horse was bruno .
animal	8	the name of camilla 's grey mouse was sarah .
animal	5	nicolas 's goose was called peter . nicolas had a generous neighbour called helen .
animal	4	hannes calls the dog alice .
person	2	after dinner walter takes the cow for a walk .
person	11	elias 's grey brush was very heavy . elias 's colleague maria was very modest .
person	12	emil has an old black canary . emil likes his generous friend george .
animal	5	lotte 's chicken was called daniel . lotte 's purple drum was very beautiful .
animal	2	jonas finds susan near the station because it chirps .
animal	5	laurence 's duck is called laura . jonas is laurence 's careful nephew .
animal	4	dieter calls the pigeon sam .
animal	5	jonathan 's mouse is called oliver . jonathan 's niece elisa is very generous .
animal	8	the name of frederic 's white mouse is sophie .
person	2	after dinner peter is nervous , so peter takes a deep breath .
person	6	edith gave the yellow key to laura without a word .
person	2	damian is diana 's brave uncle .
person	3	the name of rose 's spotted canary was henry .
person	1	then george sees a conductor with a flag at the station .
person	7	a chemist needs a microscope , and victor has a good one .
animal	5	dieter 's puppy was called emma . dieter 's uncle alexander was very kind .
person	5	archie gets some turnips from max .
animal	4	charlotte called the parrot daisy . charlotte 's white axe was very heavy .
person	2	at night victor heard that susan grunted . victor gave the pig some turnips .
person	6	emma has a brave uncle called hugo .
animal	4	joseph calls the duck rose .
person	4	late on thursday night anna is nervous , so she takes a deep breath .
person	1	with molly 's black kettle , she often made some tea .
person	1	finally robert returned from the pharmacy to the blue tower .
person	5	in the morning elena visited nina in the bungalow .
animal	8	the name of amelia 's white goose is henry .
animal	5	eugene 's cow was called felix . eugene liked his brave cousin christina .
person	9	arthur liked a fat pig with spotted skin . arthur had a new pink broom .
animal	8	the name of caroline 's golden pig was paul .
animal	2	marcel took anna to the loft .
animal	2	daphne found paul near the school because it squawked .
animal	8	the name of esther 's striped dog is molly .
animal	4	anita called the dog charlie .
animal	4	christina called the pig robert . christina had a funny son called clemens .
person	6	early in the morning anton asked daisy for the green bucket .
person	3	in the afternoon nina heard a noise between two cushions .
person	7	leo had a cheap black brush . leo had a generous neighbour called julia .
person	1	with edgar 's green brush , he often paints the fence .
person	2	at night olivia brews tea because she likes it .
animal	14	marcel likes a thin dog with brown skin . marcel 's dog is called molly .
person	8	the pink hut beside the canal belonged to philip .
animal	5	bruno 's frog was called julia . bruno 's aunt linda was very careful .
person	1	with irene 's black bicycle , she often rides to the village .
person	3	in the end daisy discovered the white guitar below the stairs and laughed .
animal	4	colin called the canary sarah . at lunchtime colin was alone and cooked stew .
animal	8	at noon dora left the gate open and felix ran to the forest .
animal	8	the name of ferdinand 's black goat was victor .
person	5	janet has a cousin , toby , who is polite .
animal	8	the name of angela 's golden snake was rosie .
person	5	the bear growls again and max leaves it alone .
animal	5	hubert 's goat is called lucy . hubert has a light red drum .
animal	5	cecilia 's dog was called laura . cecilia had a new orange kettle .
animal	8	the name of ida 's striped parrot was bella .
animal	4	martha calls the goose martin . martha has an expensive golden knife .
person	8	adam 's grey bucket is very expensive . adam likes his brave nephew donald .
animal	5	eva 's kitten was called alice . eva 's neighbour frederic was very friendly .
person	2	archie admired daisy because a tailor needed a thimble .
animal	2	diana let arthur rest in the grass for an hour .
person	2	after dinner vera heard that the goose honked .
person	5	benedict had a son , paul , who was honest .
animal	5	alexander 's donkey is called victor .
animal	14	gloria liked a lazy pigeon with spotted skin . gloria 's pigeon was called nina .
person	9	the black mill next to the park belongs to martin .
animal	7	on saturday at midday cedric heard that nina brayed .
person	3	in the end eva brought the rope back to leonard .
animal	4	edgar asks hanna about helen .
animal	11	ida has a beautiful pink key . after dinner ida takes oscar for a walk .
animal	5	anton 's canary was called bruno . anton 's silver guitar was very famous .
animal	2	amelia lets eva rest in the grass for a long time .
animal	4	at noon edward took edgar for a walk .
person	12	hubert had a cheap yellow brush . hubert liked his kind colleague lucy .
animal	4	dennis called the horse oscar . dennis liked his careful aunt rebecca .
animal	4	ivan calls the pigeon george . ivan has a modest friend called daphne .
animal	11	gabriela has a fat brown goose . gabriela calls the goose daisy .
animal	5	joanna 's donkey is called amber . joanna likes her friendly friend hubert .
person	3	on thursday morning charlie saw that the sun shone .
animal	3	the picture shows charlie in front of the blue farmhouse .
animal	5	damian 's mouse was called hugo .
person	7	susan has a quiet golden pigeon . susan 's pigeon is called bruno .
animal	5	fiona 's dog is called anna .
person	2	anita is sophie 's brave niece .
person	6	the juice tastes sour , and rose is glad .
person	2	at bedtime henry heard that ruby chirped .
person	4	at noon carla sent leo a letter with a small picture .
person	3	the name of hugo 's golden canary was eva .
person	6	the salad is fresh , so arthur eats only a little of it .
person	6	at the end of tuesday , leo sleeps in the farmhouse .
person	5	morris had a neighbour , nora , who was polite .
person	1	with clara 's white comb , she often tidies a wild beard .
person	1	so sarah carried susan back to the house .
person	6	lars has an honest uncle called toby .
`);
