import type { Things } from './things.ts';

/** Everyday things in Italian. */
export const THINGS_IT: Things = {
  dentist:
    'dentist* dental* dentari* dente denti odontoiatr* odontotecnic* ortodonz* ortodont* igienista carie otturazione* detartrasi molare* gengiv* dentiera devitalizzazione',
  doctor:
    'medico medica medici dottore dottoressa pediatr* dermatolog* ginecolog* cardiolog* curante ambulatorio impegnativa specialistic* urolog* ortopedic* mammografia checkup poliambulatorio*',
  eyes: 'oculist* ottico ottica ottici occhiali occhio occhi oftalm* optometr* lenti montatura* diottr* retina glaucoma cataratta',
  vaccination: 'vaccin* antinfluenzal* antitetanic* tetano morbillo immunizz* covid',
  prescription:
    'ricett* farmac* medicinal* compresse pastiglie pillola pillole antibiotic* sciroppo posologia dosaggio nre',
  physio:
    'fisioterap* massaggi* osteopat* riabilitazione* chiropratic* kinesi* tecar massoterap* logopedist* fisio fisiatra',
  hospital:
    'ospedal* clinica cliniche ricover* chirurg* anestesi* radiolog* dimission* policlinico risonanza radiografia colonscopia ecografia*',
  bloodTest:
    'sangue ematic* prelievo prelievi laboratorio colesterolo emocromo glicemia analisi tiroide referto referti',
  healthInsurance: 'asl sanitari* unisalute ssn ssr tesserino',
  electricity: 'luce elettric* enel kwh corrente kilowatt* a2a salvavita iren',
  gas: 'gas metano gpl bombola bombole italgas propano butano',
  water: 'acqua idric* acquedotto* fognatur* fognari* potabile depurazione acea autoclave',
  heating:
    'riscald* caldai* termosifon* radiatore radiatori termostat* bruciatore pellet climatizz* condizionator* calorifer* termoidraulic* bollino boiler scaldabagno',
  chimney: 'camino spazzacamin* fuliggine fumaria fumarie stufa stufe comignol* caminetto camini canna',
  plumbing:
    'idraulic* rubinett* perdita tubo tubi tubatur* scarico sifone sanitari lavandin* gocciol* lavello* sturare spurgo sciacquone doccia infiltrazion*',
  roof: 'tetto tetti grondai* tegol* lattoner* lattoniere pluvial* coppi solaio lucernari*',
  window: 'finestr* infiss* persian* tapparell* vetrai* vetro vetri serrand* serrament* zanzarier* veneziane velux',
  lock: 'chiave chiavi serratur* fabbro lucchett* cilindro catenaccio portachiavi ferramenta duplicato',
  garden:
    'giardin* prato siepe siepi albero alberi potatur* potare tosaerba aiuol* orto cespugli* rasaerba vivaio vivai erba',
  waste:
    'spazzatur* tari ingombrant* immondizi* differenziata riciclo bidon* discaric* ecocentro indifferenziat* cassonett* ricicleria rifiuto rifiuti',
  cleaning: 'pulizi* pulire colf aspirapolvere lavapaviment* sanificazione lavavetri badante',
  painting: 'imbianch* verniciat* pittura tinteggi* tappezzer* vernice intonac* pitturare decorator*',
  kitchen:
    'frigorifer* forno congelator* fornelli cappa frigo freezer elettrodomestic* microonde induzione cucina cucine cucinino',
  washing: 'lavatrice* lavatrici asciugatrice* bucato lavanderia asciugatrici centrifuga stiro',
  dishwasher: 'lavastoviglie* stoviglie lavapiatti piatti brillantante pentole posate',
  sofa: 'divan* poltron* sofà chaise puff tappezzier*',
  shelf: 'scaffal* mensol* armadi* libreria* cassettier* guardarob* cassettone credenz* pensile pensili comò',
  bed: 'letto letti materass* doghe piumone* lettino matrimoniale testiera culla cuscino cuscini',
  table: 'scrivani* sedia sedie sgabell* falegnam* tavolino* ebanist* tavolo tavoli tavola',
  lamp: 'lampad* plafonier* illuminazione led faretto faretti piantana applique',
  internet: 'internet fibra adsl router wifi modem banda ftth fastweb fttc connessione connettività',
  mobile: 'sim esim portabilità roaming ricaric* iliad vodafone windtre mnp',
  television: 'televis* canone antenn* decoder rai parabola',
  alarm: 'antifurt* rilevator* videosorveglian* citofon* antintrusion* videocitofon* allarme allarmi',
  rent: 'affitt* pigion* canone locazione cedolare morosità',
  serviceCharges: 'condominiali oneri ripartizion* consuntivo conguaglio accessorie millesimi',
  deposit: 'cauzion* caparra fideiussion*',
  landlord:
    'locator* inquilin* locatari* conduttore locazion* affittuari* sfratto sublocazion* subaffitt* proprietari*',
  mortgage: 'mutuo mutui ipotec* surroga mutuatari* spread ammortamento euribor accollo',
  propertyTax: 'imu tasi catasto immobil* fabbricati catastale catastali',
  ownersMeeting: 'condomin* assemblea* millesim* comproprietar* stabile',
  handover: 'sopralluogo riconsegna* chiavi inventario*',
  moving: 'trasloc* sgomber* furgone scatoloni montacarichi svuotare facchin*',
  meter: 'contator* autolettur* lettura letture misurator* pdr',
  car: 'auto macchina veicol* automobil* vettura vetture autovettur* autoveicol*',
  carService: 'officina* meccanic* tagliando* freni frizione* concessionari* carrozz* autofficin* marmitta elettrauto',
  carInspection: 'collaudo motorizzazione revisione revisioni revisionare collaudi omologazione',
  tyres: 'gomm* pneumatic* ruota ruote cerchi convergenza equilibratura cerchioni foratura*',
  carInsurance: 'rca rcauto kasko malus sinistrosità',
  carTax: 'bollo aci automobilistica superbollo bolli targa automobilistico',
  drivingLicence: 'patent* autoscuol* motorizzazione istruttore neopatentat*',
  fine: 'multa multe contravvenzion* sanzion* autovelox velocità infrazion* ztl ammenda ammende',
  bicycle: 'bici biciclett* ciclist* ebike ciclo mtb ciclism* ciclofficin* pedali monopattin* pedale',
  breakdown: 'carroattrezzi traino rimorchi* aci soccorso panne avaria',
  parking: 'parchegg* posteggi* contrassegno* autorimess* parchimetr* autosilo garage',
  train: 'treno treni trenitalia ferrovi* stazione frecciarossa binario regionale trenord intercity vagone',
  flight:
    'volo voli aereo aerei aeroporto aeroporti imbarco ryanair easyjet alitalia bagagli* decollo aeroportual* malpensa fiumicino',
  bus: 'autobus bus pullman tram corriera* metropolitan* atm atac flixbus filobus tpl',
  ferry: 'traghett* nave navi crocier* imbarcader* tirrenia moby traversata aliscaf* grimaldi catamarano',
  hotel: 'hotel* alberg* pension* pernott* ostello* alloggi* camere locanda soggiorno booking ostelli',
  holidayFlat: 'appartament* airbnb agriturism* villett* vacanz* chalet* bungalow bilocale',
  carHire: 'noleggi* autonoleggi* europcar hertz sixt avis locauto carsharing',
  travelInsurance: 'rimpatri* bagaglio annullamento viaggiatori viaggi bagagli',
  visa: 'visto visti questura consolat* ambasciat* esta immigrazione consolare',
  passport: 'passaport* identità cie anagrafe',
  tax: 'f24 erario fiscale contribuent* erariale tassa tasse imposta imposte fisco fiscali tributo tributi tributario',
  taxReturn: 'redditi isee caf commercialista* irpef precompilat* dichiarazione detrazion*',
  vat: 'iva lipe intrastat forfettari* esterometro fatturazione esente imponibile',
  salary: 'stipend* paga cedolin* retribuzion* cud tredicesima busta mensilità salario salari',
  pension: 'pensionistic* inps pensionament* pensionat* pensione previdenz* tfr quiescenza',
  bankCard: 'bancomat pin maestro postamat postepay contactless',
  bankAccount: 'bancari* banca banche iban giroconto fido correntist* scoperto unicredit bper bancoposta',
  loan: 'prestit* finanziament* rata rate finanziari* debitore mutuatario findomestic cessione agos creditore',
  creditCard: 'mastercard amex nexi cartasi american',
  insurance: 'assicur* polizza polizze unipol* axa allianz contraente',
  liability: 'responsabilità civile rct capofamiglia massimale',
  household: 'furto incendio abitazione scoppio scasso incendi furti',
  legalInsurance: 'arag contenzios* controversia controversie giuridica',
  lifeInsurance: 'invalidità beneficiari* superstiti premorienza decesso',
  claim:
    'sinistr* perizia indennizz* risarc* incidente cid constatazione incidenti liquidatore danno danni danneggiat* perito periti perizie',
  court: 'tribunal* udienz* sentenz* giudice citazion* cancelleria giudiziari* querela giudici',
  lawyer: 'avvocat* patrocin* avv parcella penalista civilista',
  notary: 'notai* notaril* rogito autentic* compromesso',
  inheritance: 'testament* erede eredi succession* defunto ereditar* testatore eredità lascito',
  residence: 'residenz* anagraf* domicili* residente',
  certificate: 'certificat* nascita casellario apostill*',
  vote: 'votare voto voti votazion* elezion* elettor* seggio referendum urne scrutini* comunali',
  benefit: 'disoccupazion* naspi sussid* indennità inps collocamento disoccupat* inclusione',
  childBenefit: 'maternità paternità famigliari parentale genitorialità',
  school:
    'scuol* scolastic* alunn* insegnant* maestr* liceo licei pagella elementari studenti professoressa compiti pagelle quaderni',
  nursery: 'asil* nido materna infanzia doposcuola educatric* nidi',
  trip: 'gita gite escursion* didattica trekking camposcuola',
  permission: 'autorizz* consens* liberatoria*',
  parentsEvening: 'genitori colloqui ricevimento genitore interclasse insegnanti rappresentanti',
  canteen: 'mensa mense refettorio pasti pranzo menù',
  music:
    'musica musical* pianoforte violino chitarra conservatorio solfeggio flauto violoncello tromba clarinetto accordator*',
  swimming: 'nuoto piscin* nuotare nuotator* acquatic* acquagym bagnino',
  exam: 'esame esami maturità invalsi interrogazion* toefl',
  university:
    'universit* ateneo tesi laurea facoltà semestre matricola dottorat* rettorato laurear* relatore magistrale erasmus',
  childminder: 'babysitter bambinai* tagesmutter balia babysitting',
  birthday: 'complean* festeggiat* candeline torta genetliaco',
  wedding: 'matrimoni* nozze sposi sposa sposo bombonier* damigell* fidanzament* nuziale',
  funeral:
    'funeral* onoranze sepoltur* cimiter* lutto funebr* cremazion* loculo tomba lapide condoglianze esequie salma',
  vet: 'veterinari* sterilizzazion* antirabbic* microchip castrazion* vermifug* sverminazion* filariosi',
  kennel: 'canile gattile dogsitter toelettatura cinofil* catsitter petsitter',
  dogTax: 'cane cani cucciol* canina medaglietta cagnolin*',
  football:
    'calcio allenament* asd tesserament* calcetto pallavolo basket torneo rugby stadio polisportiva partita partite',
  gym: 'palestr* fitness gym pesi crossfit allenatore tapis virgin spinning',
  yoga: 'yoga* pilates meditazion* mindfulness rilassamento hatha vinyasa',
  choir: 'coro cori corale corist* cantare canto cantant* soprano tenore polifonic* vocale',
  library: 'bibliotec* mediateca emeroteca prestito',
  theatre: 'teatr* spettacol* balletto commedia palcoscenico biglietteria platea lirica',
  concert: 'concert* festival orchestr* sinfoni* filarmonic* ticketone recital tournée vivaticket',
  museum: 'musei mostra mostre pinacotec* vernissage uffizi esposizion* museo museale',
  restaurant: 'ristorant* trattori* pizzeri* osteri* cena coperti cenare thefork tavolata agriturismo enoteca',
  newspaper: 'giornal* quotidian* settimanal* edicol* rivista riviste',
  streaming: 'streaming netflix spotify disney dazn audible sky nowtv timvision',
  software: 'software* antivirus microsoft adobe gestionale',
  domain: 'hosting aruba dns ssl dominio domini',
  conference: 'conferenz* convegn* congress* fiera fiere simposi* seminari* relator* espositor* keynote',
  course: 'corso corsi laborator* formazion* formativ* webinar docente workshop lezion* corsista corsisti',
  contract: 'contratt* firmare sottoscri* firma controfirm* docusign clausol* firmatari*',
  quote: 'preventiv* quotazion* computo proforma',
  translation:
    'traduzion* traduttor* tradurre giurat* asseverat* asseverazion* bilingue* tradott* interprete interpreti interpretariato',
  meeting: 'riunion* videoconferenz* odg convocazion* meeting videochiamat*',
  presentation: 'presentazion* diapositiv* slide slides powerpoint pitch keynote',
  expenses: 'rimbors* trasferta trasferte spese scontrini chilometric* diaria giustificativi',
  timesheet: 'timbratur* cartellino timesheet straordinari marcatempo rapportino',
  laptop: 'portatil* computer* notebook macbook* thinkpad informatic* monitor',
  eventHall: 'sala auditorium capienza oratorio tensostruttura',
  printing: 'tipografi* volantin* opuscol* locandin* brochure depliant stampare copisteria pieghevol*',
  parcel:
    'pacco pacchi pacchetto spedizion* corrier* bartolini gls brt dhl sda tracking fermopoint fermoposta giacenza',
  clothes:
    'abbigliamento abito giacca pantalon* cappotto stivali camicia calzolai* zalando maglion* gonna calzatur* vestito vestiti vestiario sarto sarta sartoria scarpa scarpe',
  phone: 'telefon* cellular* smartphone* iphone* tablet* ipad* android galaxy',
  book: 'libro libri librai* romanz* isbn feltrinelli',
  coffee: 'caffè espresso nespresso delonghi cialde capsule moka decalcific* macinacaffè cappuccin*',
  gift: 'gift pensierino strenn* regalare cofanett* regalo regali regalino',
  flowers: 'fiori fiorist* mazzo rose tulipani interflora orchide* bouquet fiore fioraio fioraia floreal*',
  food: 'spesa supermerc* alimentar* deliveroo glovo esselunga coop macell* panetteri* fornaio verdur* fruttivendol* pizza catering conad',
  christmasTree: 'abete abeti presepe natalizi* nordmann natale addobbi addobbo',
  hearing:
    'udito uditiv* acustic* audioprotes* audiometr* audiolog* otorin* orecchi* timpano cerume coclear* acufen* sordità sordo ipoacusi* amplifon maico',
  allergy:
    'allergi* allergolog* allergen* asma asmatic* pollin* graminacee antistaminic* inalator* desensibilizz* iposensibilizz* immunoterapia prick spirometri* intolleran* rinite acari istamina ventolin orticaria',
  heart:
    'cuore cardio* cardiac* pressori* ipertension* iperteso elettrocardiogramma ecg ecocardio* holter pacemaker aritmi* coronar* statina statine infarto elettrofisiolog* sfigmomanometro palpitazion*',
  skin: 'pelle dermat* nei nevi mappatura melanom* acne eczema psoriasi verruc* cutane* crioterapia biopsia sfogo cheratosi epiluminescenza',
  xray: 'radiografi* radiolog* raggi risonanza ecografi* ecografo tac tomografi* mammografi* densitometri* moc ultrasuoni rmn scintigrafi* lastra lastre ecodoppler ortopanoramica',
  operation:
    'intervento operazione operarsi chirurg* anestesi* preoperatori* prericovero postoperatori* ernia artroscopi* sutur* digiuno ricover* dimission* laparoscopi*',
  cataract:
    'catarat* cristallino intraocular* iol oftalm* laser lasik miopia presbiopia cornea corneal* retin* glaucoma macul* facoemulsificazione collirio colliri ocular*',
  pregnancy:
    'gravidanz* incinta ostetric* parto partorire prenatal* preparto postparto gestant* gestazion* ginecolog* allattament* maternità neonato levatrice doula amniocentesi puerperio nascituro morfologica',
  therapy:
    'psicolog* psicoterap* psichiatr* terapeut* logoped* ergoterapi* psicanalis* psicomotric* counseling counselor ansia depressione balbuzie consultorio serenis unobravo neuropsichiatr*',
  insoles:
    'plantar* ortopedi* podolog* protesi ortesi stecca busto ginocchier* cavigliera fascite alluce callista pedicure baropodometric* solette soletta',
  careHome:
    'rsa rsd geriatri* ospizio anziani anziano lungodegenz* residenzial* ospite ospiti gerontolog* alzheimer demenza korian ricovero retta rette degente degenti ospizi',
  carer:
    'badant* caregiver accompagnamento invalidità domiciliar* assistenzial* autosufficien* disabil* colf oss 104 accudire accudimento telesoccorso adi privatassistenza uvm',
  sickNote:
    'malattia malato malata ammalat* influenza infortunio prognosi convalescen* inidone* inabil* indispost* mutua guarigione',
  cure: 'terme termal* spa cure riabilitativ* riabilitazione fanghi fango fangoterapia balneoterapi* talassoterapi* convalescen* idroterapia sanatorio abano montecatini salsomaggiore inalazioni',
  hair: 'parrucchier* capelli capello barbier* barba piega tinta meches acconciatur* hairstyl* frangia balayage coiffeur shampoo ricci extension chioma tricolog*',
  nutrition:
    'nutrizion* dietolog* dietist* dieta diete dietetic* dimagri* sovrappeso obesità calorie bilancia bmi imc dietoterapia endocrinolog* bioimpedenziometria nutraceutic* metabolism*',
  firstAid:
    'soccorso soccorritor* blsd bls rianimazion* defibrillator* dae ambulanz* croce rossa disostruzione emergenz* misericordia primosoccorso',
  wheelchair:
    'carrozzin* carrozzella rollator deambulator* girello montascale servoscala stampell* bastone ausili ausilio disabil* rotelle rampa rampe ortopedia sollevatore barriere handicap',
  boilerService:
    'caldai* bollino fumi combustione bruciator* vaillant immergas ariston riello beretta baxi manutentor* termoidraulic* scaldabagn* scaldacqua termotecnic* climatizz* radiator* curit',
  solar:
    'solare solari pannelli inverter wallbox accumulo kwp autoconsumo gse fotovolt* colonnina rinnovabil* otovo incentivi',
  insulation:
    'isolament* isolant* isolare coibent* cappotto facciat* intonac* ponteggi* impalcatur* rasatura edile edili edilizi* muratore muratori malta cartongess* gesso superbonus insufflaggio',
  floor:
    'paviment* parquet parchettist* piastrell* mattonelle moquette tappet* laminato gres battiscopa lamatura levigatura linoleum posatore massetto cotto listoni vinilico rivestimento rivestimenti',
  bathroom:
    'bagno bagni doccia docce vasca lavandin* lavabo water gabinetto bidet sanitari rubinetteria idraulic* termoarredo piastrellist* sciacquone specchiera idromassaggio idrosanitari*',
  door: 'porta porte portone portoni basculante citofon* videocitofon* campanello cancello cancelli serratur* blindata blindate cerniera maniglia maniglie sezionale automazion* garage uscio',
  fence:
    'recinzion* recint* steccat* staccionat* siepe siepi muretto paletti ringhier* inferriat* palizzat* cancellata grigliato frangivista',
  shed: 'capanno capanni casetta baracca serra serre tettoia gazebo pergola pergolato rimessa carport legnaia orto orti ripostiglio capannone veranda',
  pests:
    'vespe vespaio calabron* topi topo ratti ratto tarli tarlo scarafagg* blatte termit* formiche zanzar* disinfest* derattizz* rentokil parassit* cimici insetti',
  mould:
    'muffa muffe umidità infiltrazion* allagament* allagat* deumidific* condensa risalita salnitro antimuffa efflorescen* asciugatura murprotec spore ammuffit*',
  lift: 'ascensor* montacarichi otis schindler kone thyssenkrupp elevator* elevatrice homelift miniascensor* montavivande',
  buildingPermit:
    'architett* scia cila edilizi* geometra geometri urbanistic* costruire ristruttur* progettist* planimetri* condono sanatoria suap sue asseverazion* cantiere cantieri',
  survey:
    'perito periti geometra geometri topograf* rilievo rilievi ape energetic* catasto catastal* accatast* frazionament* estimativ* agrimens* collaudo perizi* ctu',
  housePurchase:
    'rogito compravendit* immobil* caparra compromesso venditor* acquirent* tecnocasa gabetti tempocasa casait alloggio appartament* villetta villa notai* vendere',
  houseViewing:
    'visita visitare visite immobil* appartament* bilocale trilocale monolocale idealista tecnocasa sopralluogo alloggio tempocasa',
  subtenant:
    'coinquilin* subaffitt* sublocazion* subinquilin* stanza stanze camera singola affittasi convivente pigionant* roommate dozzinante affittacamere coabit*',
  storage:
    'magazzin* box cantina cantine solaio soffitta easybox casaforte selfstorage storage custodia ripostiglio minibox armadietto armadietti stoccaggio',
  firewood:
    'legna legname pellet ciocchi ceppi bancale bancali gasolio stufa stufe camino cippato tronchetti biomassa quercia faggio catasta nafta segatura boscaiol*',
  tools:
    'attrezz* utensil* trapano trapani avvitator* ponteggio sega motosega martello cacciavite ferrament* bricolage brico bricocenter leroy levigatrice makita tassellator* smerigliatrice avvitatrice',
  curtains:
    'tenda tende tendaggi* cuscin* tappezzer* tappezzier* cucire cucito cucitura sartoria sarta stoffa stoffe tessuto tessuti rulli veneziane tapparell* merceria orlo',
  plants:
    'pianta piante piantine semi sementi semenz* semina seminare terriccio vaso vasi concim* vivaio vivai vivaist* orto orti aiuol* talea talee',
  airConditioning:
    'condizionator* climatizz* condizionata split ventilazion* ventilator* aspiratore cappa filtri filtro daikin mitsubishi clima refriger* raffrescament* freon fgas purificator* vmc',
  fireSafety:
    'estintor* antincendi* incendi* rilevator* fumo pompier* evacuazion* idrant* manichett* cpi sprinkler antifuoco ignifug* naspo',
  windscreen:
    'parabrezza carglass vetro vetri cristallo cristalli scheggiatur* scheggia lunotto resina glass glassdrive tergicristall* doctorglass vetrocar lunotti cristallauto crepa',
  carPurchase:
    'concessionari* immatricol* targa targhe autosalone autosaloni automobil* autoscout24 km0 usata autovettur* pra motorizzazione vettura venditore automotive autocasion* autohero brumbrum permuta',
  carLease:
    'leasing renting noleggi* arval leasys alphabet ald ayvens leaseplan chilometraggio canone flotta vettura veicol* riscatto',
  motorbike:
    'moto motocicl* scooter scooterone motorino ciclomotor* vespa casco caschi piaggio yamaha honda ducati kawasaki aprilia motard centauro bauletto',
  camper:
    'camper camperist* roulotte caravan campeggi* camping piazzol* autocaravan* van motorhome bungalow autocampeggio vanlife accampar*',
  boat: 'barca barche vela veleggi* velic* natante natanti ormegg* nautic* darsena porticciolo gommone gommoni motoscafo regat* skipper yacht imbarcazion* marina timone',
  toll: 'pedagg* autostrad* telepass vignett* contrassegno casello caselli ztl telepedaggio unipolmove mooneygo movein euro5 traforo',
  oilChange:
    'olio tagliand* freni freno batteria batterie marmitta scarico silenziatore filtro filtri officin* meccanic* midas norauto candele ammortizzator* dischi lubrificant* antigelo',
  charging:
    'ricaric* colonnin* wallbox enelx kwh elettrica caricator* becharge plenitude ionity evway ibrida emobility mobilize caricabatterie duferco charge powy',
  seat: 'posto posti sedile sedili finestrino corridoio poltrona upgrade imbarc* carrozza bagagli* poltroncina cuccetta',
  luggage:
    'bagagli* valig* trolley smarrit* smarrimento zaino zaini stiva borsone samsonite pir rinvenut* ritrovament*',
  refundTravel:
    'ritardo ritardi cancellazion* cancellato overbooking risarciment* indennizz* indennità compensazion* rimbors* airhelp flightright passegger* disservizi* enac sciopero soppress* annullat*',
  stay: 'notte notti camera camere pernott* soggiorn* alloggi* checkin checkout matrimoniale colazione albergh* albergo hotel* booking suite dormire',
  tour: 'guidat* escursion* tour itinerari* skipass impianti sci guida guide getyourguide civitatis turistic* gita gite percorso turismo',
  taxi: 'taxi tassist* tassì ncc transfer navetta navette shuttle uber freenow blablacar autista autisti radiotaxi trasferiment* chauffeur carpooling itaxi',
  invoice: 'fattur* parcella parcelle bolletta bollette ricevut* proforma sdi saldare quietanz* ddt notula',
  reminderFee:
    'sollecit* insolut* moros* mora debito debiti debitor* diffida ingiunzion* inadempi* scadut* arretrat* pignorament* esattorial* ader intimazione insolven* intrum recupero',
  standingOrder: 'addebit* domiciliazion* domiciliat* sdd sepa rid mandato periodic* ricorrent* iban preautorizz*',
  transfer:
    'bonific* giroconto iban beneficiario ordinante accredit* versament* versare swift bic satispay wise cbill cro trn pagopa',
  investment:
    'investiment* investir* investitor* azioni azionari* fondo fondi borsa titoli dividend* etf pac btp obbligazion* portafoglio broker directa fineco scalable cedola',
  savings:
    'risparmi* vincolat* depositi interessi libretto libretti svincolo salvadanaio fruttifer* postali rendiment* remunerat* accantonament* cdp',
  crypto:
    'cripto* crypto bitcoin* ethereum btc eth wallet blockchain coinbase binance kraken ledger exchange conio youngplatform token stablecoin bitpanda',
  donation:
    'donazion* donare donator* donatric* liberale liberali elargizion* beneficenz* onlus ong caritas unicef emergency telethon airc sponsorizz* erogazion* benefattor* lascito 5x1000',
  refund:
    'rimbors* restituzion* storno storni stornare riaccredit* chargeback accredit* paypal reso resi riaddebito restitui*',
  grant:
    'contributo sovvenzion* bando bandi finanziament* borse agevolazion* pnrr incentiv* invitalia sussidio richiedente bonus graduatori* rendicontazion* contributi',
  studentLoan:
    'borsa borse dsu edisu ersu adisu laziodisco student* universitari* ateneo isee laziodisu graduatoria ardsu erdis',
  businessRegistration:
    'commercio ateco visura visure rea imprese impresa imprenditor* ditta ditte srl costituzion* infocamere suap forfettari* artigian* telemaco unioncamere',
  bookkeeping:
    'contabil* commercialist* bilanci* ragionier* fiscalist* cassetto corrispettiv* consuntiv* fatturazione registri ammortament* ragioneria',
  customs:
    'dogan* sdogan* dazio dazi importazion* esportazion* eori adm accise spedizionier* extracomunitari* extraue taric daziari* import export',
  powerOfAttorney:
    'procura procure delega deleghe delegat* biologico dat tutela tutore tutori curator* procurator* notaril* fiduciari* rappresentan* mandatario interdizion* anticipate',
  powerStatement:
    'contributiv* ecocert inps previdenzial* lavorativ* anzianità c2storico contribuzion* unilav collocament* patronato ricongiunzion* unex assicurativ*',
  deathCertificate:
    'morte decess* defunt* vedov* reversibilità superstit* orfan* succession* estinto salma scompars* lutto eredi',
  citizenship: 'cittadinanz* naturalizzazion* celi cils plida giuramento prefettur* sanguinis iuris italianità oriund*',
  workPermit:
    'soggiorno soggiornant* questura immigrazion* immigrat* stranier* nullaosta prefettura flussi extracomunitari* impronte visto bluecard',
  police:
    'polizia poliziott* carabinier* questura commissariat* denunci* furto furti rapin* ladro ladri testimon* verbale querela refurtiva caserma rubat* scippo',
  criminalRecord:
    'casellario penale penali carichi pendenti fedina incensurat* giudiziale antipedofilia condann* procura pedofilia condotta',
  complaint:
    'reclam* lamentel* ombudsman difensore conciliazion* corecom arera altroconsumo consumator* adiconsum codacons federconsumatori disservizi* contestazion* mediazion* insoddisfa*',
  warranty:
    'garanzi* difett* riparazion* richiamo sostituzion* sostituire guast* postvendita vizio vizi malfunzionament* malfunzionante',
  lostCard:
    'bloccat* bloccare blocco smarrit* smarrimento rubata pin clonat* clonazione duplicat* sostitutiv* scaduta sblocc* riemissione riemess*',
  schoolPlace:
    'graduatori* scuol* liceo licei elementari primaria secondaria bacino stradario ammission* ammess* plesso sidi preiscrizion* segreteria iscrizioni',
  schoolReport:
    'pagell* voti scrutin* quadrimestr* trimestre valutazion* bocciat* promoss* insufficienz* diplom* axios spaggiari rimandat*',
  schoolBooks:
    'libri scolastic* quadern* cancelleria cartoleri* fotocopi* astuccio zaino cedola librari* matite penne grembiul* corredo zanichelli libraccio pennarell* dizionario',
  tutoring: 'ripetizion* matematica compiti doposcuola tutor aiutocompiti ripetitor* superprof potenziament*',
  exchange:
    'scambio scambi intercultura erasmus ospitant* ospitare accoglienza gemellaggio gemellaggi corrispondente linguistic* mobilità wep afs',
  camp: 'camp colonia colonie estivo estivi estate grest cre animator* scout campus campeggi* ludoteca oratori*',
  costume:
    'costum* travest* mascher* carneval* recita recite presepe natività halloween copion* pastorell* saggio natalizi* martedìgrasso',
  prom: 'diplom* ballo mak100 gala maturità laure* proclamazion* tocco toga graduation commencement maturand*',
  judo: 'judo judoka karate karateka taekwondo aikido marziali kimono tatami cintura cinture dojo jujitsu kickboxing boxe pugilat* kendo scherma fijlkam pugilist*',
  dance:
    'danza danze ballo balli ballare ballerin* ballett* saggio coreograf* tutù punte salsa bachata tango hiphop zumba ballabil* latinoamerican*',
  riding:
    'equitazion* ippic* cavall* maneggio maneggi scuderi* pony equestr* galoppo fantino stalla fise maniscalc* ippodrom* amazzone',
  tennis:
    'tennis tennist* padel paddle badminton racchett* incord* squash pingpong pallin* fitp playtomic volano smash',
  athletics:
    'corsa corse maratona maratonin* maratonet* gara gare pettoral* podist* podismo atletic* atleta atleti triathlon triatlon fidal runner running runcard endu',
  climbing:
    'arrampic* alpinism* alpinist* alpino rifugio rifugi cai escursionism* escursionist* trekking parete falesia boulder ferrata ferrate imbragatur* montagn* vetta bivacco cordata',
  skiing:
    'sci sciare sciator* sciistic* skipass snowboard neve impianti seggiovia funivia ovovia piste pista scialpinism* dolomiti scarponi innevat* snow sciata skilift',
  scouts:
    'scout agesci cngei lupett* coccinell* branco reparto clan esplorator* fazzolettone guide scoutism* rover oratorio noviziato',
  instrument:
    'accordator* accordatura accordare liutai* pianoforte piano violin* violoncell* chitarr* archetto corde strument* sassofono sax clarinett* tromba flaut* fisarmonic* thomann pianist*',
  childSeat:
    'seggiolin* passeggin* carrozzin* culla culle lettino ovetto isofix navicella chicco inglesina peg prenatal neonat* seggiolon* trio antiabbandono bimbo bebè foppapedretti',
  toys: 'giocattol* gioco giochi puzzle lego bambol* playmobil peluche ludotec* trenino costruzioni toyscenter clementoni ravensburger pupazz* giocheri* balocchi trottol*',
  baptism:
    'battesim* battezz* comunion* cresim* parrocch* parroco chiesa catechism* catechist* padrino madrina sacerdote messa sacrament* diocesi prete oratorio',
  anniversary:
    'anniversari* oro argento giubile* rimpatriat* ricorrenza ricorrenze ventennale centenari* cinquantesim* cinquantenn* exalunni ritrovo commemora* nozze venticinquesim* decennale',
  party:
    'festa feste festeggi* celebra* invito inviti invitat* invitare party palloncin* brindisi grigliata animazione ospiti partecipazion* aperitiv* rinfresco festicciol* ricevimento',
  photographer:
    'fotograf* foto scatti scatto shooting album ritratt* stampe fotolibr* photobooth fototesser* photo fotoreportag*',
  caterer:
    'catering buffet rinfresc* torta torte pasticceri* bibite bevande aperitiv* banchett* gastronomi* camerier* apericena portate menù coperti cuoco chef tartine salatini',
  petFood:
    'crocchett* mangime mangimi scatolette lettiera arcaplanet zooplus royalcanin petfood toelett* pappa cane gatto animali veterinari* umido isoladeitesori',
  petInsurance: 'animal* cane gatto cani microchip petsafe morso morsi cinofil* santevet veterinari* mordere morsicat*',
  catFlap:
    'gatto gatta gatti gattin* gattaiol* felin* micio mici sterilizz* castra* microchip lettiera miagol* tiragraffi',
  petSitter:
    'dogsitter catsitter petsitter passeggiat* rover cane cani cinofil* canin* canile gattile petme educatore toelettator* dogwalk*',
  membership:
    'soci socio socia associazion* associat* tesser* quota circolo club sodalizio polisportiva arci iscritto iscritti adesion* affiliazion*',
  generalMeeting:
    'assembl* verbale verbali convocazion* direttivo consiglio elezion* votazion* presidente tesoriere segretario statuto soci quorum delibera deliberazion* consiglieri associazion* delega',
  volunteering:
    'volontari* onlus turno turni croce misericordia pompieri turnazion* avis caritas auser solidal* solidarietà soccorritor* colletta anpas',
  raffle:
    'lotteri* riffa tombol* mercatin* bazar sagra sagre fiera benefic* sorteggi* estrazion* proloco bancarell* patronale',
  newsletter:
    'newsletter mailing mailchimp mailup emailing campagna campagne notiziari* bollettin* dem circolare sendinblue brevo mailerlite',
  website:
    'sito siti web website homepage wordpress webmaster landing contenuti seo cms webdesign* ecommerce lancio restyling webagency sitoweb redirect',
  logo: 'logo loghi logotip* grafic* design designer etichett* packaging imballagg* mockup bozzett* marchio illustra* branding rendering insegna pittogramm* tipografic*',
  article:
    'articol* rubrica manoscritt* bozze redazion* redattor* editor* abstract correttor* revisor* giornalis* pubblicazion* capitolo peerreview refus* recension*',
  podcast:
    'podcast* intervist* video* riprese microfon* puntata puntate episodio youtube audiovisiv* radio doppiaggio regia',
  talk: 'relator* relatrice conferenz* speaker keynote tedx discorso dibattit* convegno oratore oratric* speech prolusione moderator* palco relazione',
  stand:
    'stand bancarell* banchetto mercat* fiera fiere fieristic* espositor* espositiv* posteggio artigian* ambulant* padiglion* allestiment* hobbist*',
  shop: 'fornitor* merce merci scorte inventario magazzino negozi* bottega cassa vetrin* scaffalatur* grossist* commerciant* riassortiment* pos emporio esercente',
  insuranceWork:
    'inail infortuni* complementare cometa fonchim confcommercio confartigianato cna confindustria casagit sanimpresa metasalute tfr ebinter patronal*',
  reference: 'referenz* raccomandazion* benservito benserviti attestat* garante',
  jobApplication:
    'candidat* curriculum colloquio colloqui selezion* assunzion* recruit* infojobs indeed linkedin impiego assumere concors* motivazional* autocandidatura',
  employment:
    'assunzion* lavorativ* dipendent* dimission* licenziament* preavviso ferie permessi aspettativa indeterminato congedo ccnl datore subordinat* tfr assunt* impiegat*',
  visitors:
    'badge visitator* pass tesserino tesserini portineri* portinai* accredit* guardiola custode varco varchi receptionist tornell* reception accessi',
  server:
    'server backup ssl tls salvataggi ripristin* disservizio downtime datacenter hosting vps linux nas aruba sistemist* patch migrazion* sysadmin cluster',
  projectOffer:
    'preventiv* capitolat* commess* milestone appalt* bando deliverable* fornitura sow committent* stralcio rdo mepa cronoprogramm* avanzament* sal',
  materials:
    'campioni campionatur* reagent* chimic* materiale materiali provett* solvent* sigma merck pipett* vetreria fornitur* fisher laboratorio',
  audit: 'audit auditor ispezion* ispettor* haccp igien* asl nas iso accredia revisor* legionella sanitaria ats rspp',
  trademark:
    'marchi* brevett* uibm copyright siae euipo autore shutterstock getty intellettual* plagio royalt* contraffazion* depositat*',
  officeSpace: 'ufficio uffici cowork* scrivani* postazion* regus wework copernico talentgarden desk openspace',
  furnitureDelivery:
    'mobili ikea montaggi* montare montator* arredament* arredo arredi mondoconvenienza divan* libreria poltronesofà scaffal* smontaggi* smontare maisons assemblaggi* falegnam* mobilio mobilier*',
  wardrobe:
    'armadi* guardarob* ante anta scorrevol* falegnam* cassettier* appendiabiti ripostiglio pax grucc* incassat*',
  mattress:
    'materass* doghe letto letti cuscino cuscini lattice topper molle eminflex permaflex emma piumon* coprimaterass* sommier insacchettate matrimoniale ortopedico dorelan',
  vacuum:
    'aspirapolver* roomba folletto vorwerk dyson robot frullator* tostapane stiro asciugacapelli phon bimby friggitrice bollitor* elettrodomestic* lavapaviment* rowenta kenwood planetaria irobot',
  fridge:
    'frigorifer* frigo freezer congelator* refriger* nofrost combinato liebherr smeg samsung cantinetta sbrin* surgelat* ghiacciaia whirlpool frigobar',
  camera:
    'fotocamer* telecamer* teleobiettivo drone droni reflex mirrorless treppiede nikon canon gopro dji leica fujifilm videocamer* otturator* fotografic* lente',
  headphones:
    'cuffi* auricolar* altoparlant* casse caricabatteri* caricatore cavo cavi cavetto airpods bluetooth usb bose jbl adattator* powerbank sonos microfon* amplificator* sony',
  watch:
    'orolog* anello anelli gioiell* incision* incidere fede fedi collana collane orecchini bracciale braccialett* orafo oreficeria rolex pandora swatch cinturino',
  shoes:
    'scarp* stivali stivalett* sandal* ciabatt* calzatur* calzolai* suola suole risuolatur* tacco tacchi mocassin* sneakers geox pantofol* ginniche doposci',
  coat: 'cappott* giacca giacche giaccon* vestito vestiti abito abiti tintori* lavasecco lavanderi* sart* piumino giubbott* impermeabile smoking tailleur orlo orli stiratur*',
  sportsGear:
    'sci scarponi muta zaino zaini decathlon sport sportiv* racchett* casco caschi attrezzatur* cisalfa pallone palloni borsone bastoncini divisa divise ciaspol*',
  mealKit:
    'hellofresh cassett* verdur* ortaggi ortofrutt* contadin* agricol* biologic* latte lattaio frutta cortilia quomi portanatura raccolto fattoria ortolan* babaco',
  wine: 'vino vini cantina cantine enolog* enotec* vinicol* vendemm* bottigli* degustazion* birr* sommelier assaggi prosecco barolo chianti tannico decanter vignet* vitivinicol*',
  secondHand:
    'usato usati vinted subito wallapop ebay annuncio annunci acquirent* compratore venditor* vendere venduto mercatino svend* marketplace vendesi baratt* rigattier*',
  returnParcel:
    'reso resi restituzion* restitui* etichetta etichette recesso pacco rimandare rispedir* ritiro poste rimbors* locker rma corrier* gls bartolini',
  spareParts:
    'ricamb* pezzo pezzi cartucc* toner inchiostro filtro filtri pila pile batteria batterie consumabil* guarnizion* lampadin*',
  ticket:
    'bigliett* abbonament* poltrona poltronissim* posto posti platea palco palchetti tribuna ticketone vivaticket galleria ingresso ingressi loggione prevendit* botteghino spalti',
  cinema:
    'cinema film pellicol* uci proiezion* multisala cineforum anteprima regista popcorn cinematograf* cineteca thespace imax cineclub lungometragg* cortometragg*',
  audiobook:
    'audiolibr* audible ebook* kindle ereader storytel epub kobo tolino narrator* mlol medialibrary audioraccont*',
  cloud:
    'cloud nuvola archiviazion* icloud dropbox onedrive googledrive gigabyte terabyte backup sincronizz* pcloud googlefoto drive',
  vpn: 'vpn antivirus password nordvpn norton kaspersky bitdefender lastpass bitwarden 1password mcafee panda malware cybersecurity protonvpn surfshark eset keepass cibersicurezza',
  dating:
    'abbonament* duolingo tinder babbel gamepass playstation xbox nintendo premium bumble meetic steam videogioc* strava headspace busuu coursera',
};
