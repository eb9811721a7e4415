package safety

// common are everyday words and those that every site prints: they say nothing
// of where a text was read. Folded, in the six languages with the most pages;
// shorter words count for nothing anyway.
var common = wordSet("" +
	"aber about above account accueil across add added address after again against agree ahead ahora ainda algo all " +
	"alle allem allen aller alles allow almost along already also although always among amount anche and another " +
	"answer antes any anyone anything apply april aqui are area around article ask asked assets assim ate auch auf " +
	"august aus aussi autre available avec away back based basic because become been before begin bei beim being " +
	"below best better between bien big bitte black blog blue book books both bottom box bring brown browse busca " +
	"buscar business but button buy cada call called campaign can cannot car card care carrinho carrito cart casa " +
	"case category center centre certain ces cette change changes che check checkout child children choose city " +
	"class clear click close code collection color colour come comes comme comment comments common como company " +
	"compare complete compte computer con confirm conta contact content continue cookie cookies copy copyright cosa " +
	"cost could country course cover create created cuando cuenta currency current customer customers daily dal " +
	"dalla dann dans dark dass data date day days december default degli dein deine del dela dele delete delivery " +
	"della delle dem demo den depois der des description desde design detail details development dich did die dies " +
	"diese dieser dieses different digital dir direct discount display doch document documents does donc donde done " +
	"dos dove down download during each early easy edit education ein eine einem einen einer eines either ela ele " +
	"ella elle elles ellos else email end english enjoy enough enter entre era error essa esse essere est esta " +
	"estas este esto estos etre even event events ever every everyone everything example except experience explore " +
	"export face facebook fait family faq far fare fast favorite feature features february feedback few field file " +
	"files filter filters final find first five fois follow food for forgot form forward found four free french " +
	"friday friend friends from front full fur future game games general german get getting gift give given going " +
	"gold good google got gracias grazie great green group groups guide haben hace had hai half hand hanno happy " +
	"has hasta hat have hay health hear hello help her here hier high his history hold home hotel hour hours house " +
	"how however html http https ich ici icon ihr ihre ils image images important include included including index " +
	"info information inicio inside instagram install instead interest international into isso issue ist item items " +
	"its january jetzt job jobs join july june just kann keep kein keine know known kontakt konto lang language " +
	"large las last late later latest learn least leave left legal less let letter leur leurs level library license " +
	"life light like limited line link links list lists little live load loading local locale location log login " +
	"logo logout long look loro los lot love low made mail main mais make making management manager many map march " +
	"market mas may mean media medium meet mehr mein meine member members meme menu message messages meu might " +
	"minha minute minutes mio mis miss mit mobile model molto mon monday money month months more morning most mots " +
	"move much muito music must muy nach name nao near need needs nel nella network never new news newsletter next " +
	"nicht night noch none nos nosso nostro not note notes nothing notice notre nous november now nuestra nuestro " +
	"number nur october oder off offer offers office official often ogni ohne old once onde one online only open " +
	"option options orange order orders other others otra otro our out over overview own page pages paid panier " +
	"paper par para part partner partners party pas password past pay payment pela pelo people per percent pero " +
	"person personal phone photo photos picture pictures piu place plan plans play please plus point policy popular " +
	"por porque post posts pour power present press previous price prices print privacy private problem process " +
	"prodotti prodotto product products produit produits produkt produkte produto produtos " +
	"profile program project provide public published purchase quality quando quantity que quel quelle quello quem " +
	"query questa question questions questo qui quick quickly quien quite range rate rather rating read reading " +
	"ready real really reason receive recent recherche rechercher recipe recommended red register related release " +
	"remember remove reply report request required reserved reset resources response rest result results return " +
	"returns review reviews right rights room rules safe said sale same sans sao saturday save saved say schon " +
	"search second section secure security see sehr seite select selected sell sem send sent september ser service " +
	"services ses set settings seu several shall share shipping shop shopping short should show shown sich side sie " +
	"sign signin signup silver similar simple sin since sind single site sitemap size skip small sobre social " +
	"software sold some someone something son sono sont soon sorry sort source spanish special sponsored standard " +
	"start started state static status stay step steps still stock stop store stores story street style sua subject " +
	"submit subscribe subtotal such suche suchen sulla sunday suo support sur sure sus system table tag tags take " +
	"tambem tambien taxes team technology tell tem term terms test text than thank thanks that the their them then " +
	"there these they thing things think this those though three through thursday ticket tickets tiene time times " +
	"title today todo todos together tomorrow too tool tools top topic topics total tous tout toute toutes track " +
	"travel tres tuesday tutti tutto twitter two type uber uma una und under une unit uno uns unser unsere unter " +
	"until update updated updates upload url use used user username users using usted utm value various version " +
	"very video videos view views visit voce vom von vor vos vostro votre vous wait want warenkorb was watch water " +
	"way web website wednesday week weeks weiter welcome well wenn werden were what when where whether which while " +
	"white who whole why wie wieder will window wir wird wish wishlist with within without woman women word words " +
	"work working works world would write wrong year years yellow yes yesterday yet york you young your yours " +
	"yourself youtube zip zum zur zuruck ")
