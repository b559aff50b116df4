import type { Things } from './things.ts';

/** Everyday things in German. */
export const THINGS_DE: Things = {
  dentist:
    'zahn* zähne zähnen kieferorthopäd* prophylaxe karies dental* wurzelbehandlung backenzahn weisheitszahn* weisheitszähne füllung parodont* gebiss gebisse spange implantat* milchzahn',
  doctor:
    'arzt arztes arzttermin* arztpraxis ärzt* hausarzt* hausärzt* praxis facharzt* fachärzt* kinderarzt* kinderärzt* hautarzt* hautärzt* frauenarzt* frauenärzt* vorsorgeuntersuchung* sprechstunde* checkup orthopäd* überweisungsschein doktor vorsorgetermin',
  eyes: 'auge augenarzt* augenärzt* optik optiker* augenoptik* sehtest* brille brillen* gleitsicht* kontaktlinse* sehstärke sehhilfe* sonnenbrille* lesebrille* netzhaut* hornhaut* glaukom* augen augenlicht augentropfen augenklinik* augenuntersuchung* augenpraxis*',
  vaccination:
    'geimpft auffrischung* auffrischimpfung* tetanus grippeschutz* grippeimpfung* zeckenimpfung fsme schutzimpfung* piks stiko impfung* impfen impfpass* impfpässe impftermin* impfstoff* impfausweis* impfbuch* masern masernschutz*',
  prescription:
    'apothek* medikament* arznei* folgerezept* erezept* wirkstoff* verschreib* verordn* hustensaft antibiotik* pille rezept rezepte rezeptes rezeptpflichtig* rezeptgebühr* salbe tablette tabletten',
  physio:
    'krankengymnast* massage* osteopath* manualtherap* heilmittel* lymphdrainage* chiropra* ergotherap* reha rehasport physio physiotherap* physiopraxis',
  hospital:
    'krankenhaus* krankenhäus* klinik klinikum* kliniken spital stationär* operation* narkose* chirurg* ambulanz* entlassbrief entlassungsbrief radiolog* mrt röntgen* universitätsklinik*',
  bloodTest: 'blut* labor laborwert* laborbefund* cholesterin* schilddrüse* leberwerte',
  healthInsurance:
    'krankenkasse* krankenversicherung* krankenversichert* gesundheitskarte* aok barmer ikk bkk versichertenkarte beihilfe pflegekasse* pflegeversicherung',
  electricity:
    'strom stromanbieter* stromvertrag* stromtarif* stromrechnung* stromversorg* stromabschlag* stromliefer* stromkosten stromverbrauch* stromausfall* elektrizität* elektrik* elektroinstall* kwh kilowattstunde* ökostrom* steckdose* sicherungskasten',
  gas: 'gas gasanbieter* gasvertrag* gastarif* gasrechnung* gasversorg* gasabschlag* gasliefer* gasverbrauch* erdgas* flüssiggas* gasflasche* gaspreis*',
  water:
    'wasser wasserrechnung* wasserversorg* wasserwerk* wasserverbrauch* abwasser* trinkwasser* wassergebühr* wassergeld kanalgebühr* kanalisation wasserabschlag* wasserverband',
  heating:
    'heizung* heizkessel* heizkörper* heizanlage* heizöl* heizgerät* gasheizung* ölheizung* therme thermen gastherme* thermostat* wärmepumpe* brenner brennerwartung wärmeerzeuger* fernwärme* fußbodenheizung* feuerungsanlage* zentralheizung',
  chimney:
    'schornstein* kamin kamine kaminofen* kaminkehr* kaminfeger* feuerstätte* kaminöfen kehrbezirk* kehrung kehrtermin rauchfang* ofenrohr abgaswegeüberprüfung rußen',
  plumbing:
    'klempner* installateur* sanitär* wasserhahn* armatur* abfluss* rohrbruch* rohrreinig* undicht* tropfender leck leckage* siphon wasserleitung* spülkasten* toilette* waschbecken* dusche duschkabine* tropfende',
  roof: 'dächer regenrinne* dachrinne* dachdeck* ziegel dachziegel* fallrohr* spengler* flachdach* bedachung* dach dachs daches dachboden* dachgauben dachsanierung* dachreparatur* dacharbeiten',
  window:
    'fenster* rollladen* rolladen* rollläden* jalousie* markise* glaser* verglas* isolierglas* dachfenster* rollo rollos sonnenschutz raffstore*',
  lock: 'schlüssel* schloss türschloss* schlosser* schließzylinder* schließanlage* zweitschlüssel* ersatzschlüssel* wohnungsschlüssel* haustürschlüssel* transponder* hausschlüssel* vorhängeschloss',
  garden:
    'garten* gärten gärtner* hecke* baum bäume baumpfleg* baumfäll* obstbaum* baumschnitt* strauch* sträucher vertikutier* grünschnitt* kleingarten* beet beete vorgarten* blumenzwiebeln baumschule* rasen rasenmäh* rasenpflege* rasenkant*',
  waste:
    'müll* abfälle sperrmüll* sperrgut* biotonne* restmüll* altpapier* tonne tonnen entsorg* wertstoff* altglas recycling* entrümpel* schadstoffmobil* elektroschrott* container abfall abfallgebühr* abfallentsorg* abfallwirtschaft* abfallbetrieb* abfallkalender*',
  cleaning:
    'reinigungskraft* putzfrau* putzhilfe* putzen putzdienst gebäudereinig* haushaltshilfe* treppenhausreinig* fensterputz* fensterreinig* putzkraft putzmann endreinigung* grundreinigung* raumpfleg* unterhaltsreinigung* hausreinigung',
  painting:
    'maler malerarbeiten malerbetrieb* malermeister* malern anstrich* tapet* tapezier* wandfarbe* lackier* streicharbeiten fassadenanstrich* anstreicher*',
  kitchen:
    'küche küchen* einbauküche* kühlschrank* kühlschränk* gefrierschrank* backofen* backöfen herd kochfeld* dunstabzug* gefriertruhe* mikrowelle* tiefkühl* arbeitsplatte* haushaltsgerät* elektrogroßgerät* ceranfeld',
  washing: 'waschmaschine* trockner wäschetrockner* waschtrockner* waschvollautomat* wäsche waschgang schleuder* wama',
  dishwasher: 'spülmaschine* abwaschmaschine geschirr* klarspüler spülkorb',
  sofa: 'sofa* couch* ohrensessel schlafsofa* ecksofa* wohnlandschaft* sitzgarnitur* fernsehsessel* ledersofa sessel polstermöbel* polsterer polsterei',
  shelf:
    'regal* bücherregal* kleiderschrank* schrank schränke kommode* wandregal* einbauschrank* sideboard* vitrine* schrankwand* anrichte highboard* bücherwand',
  bed: 'bett betten bettgestell* matratze* lattenrost* boxspring* kinderbett* hochbett* doppelbett* bettdecke* bettwäsche topper gitterbett',
  table:
    'tisch tische esstisch* schreibtisch* tischplatte* couchtisch* stuhl stühle bürostuhl* gartentisch* tischler* küchentisch* hocker schreiner*',
  lamp: 'lampe lampen* leuchte leuchten* glühbirne* leuchtmittel* stehlampe* deckenlampe* deckenleuchte* led beleuchtung* stehleuchte* hängelampe* pendelleuchte* kronleuchter*',
  internet:
    'internet* breitband* glasfaser* dsl wlan router* fritzbox* festnetz* modem vdsl kabelanschluss* bandbreite hausanschluss* telefonanschluss*',
  mobile:
    'mobilfunk* handyvertrag* handytarif* sim simkarte* esim datenvolumen prepaid* roaming allnet* handyrechnung* mobilvertrag* rufnummer*',
  television:
    'fernseh* tv gez beitragsservice satellitenschüssel* kabelfernseh* receiver glotze flachbildschirm* rundfunk*',
  alarm:
    'rauchmelder* rauchwarnmelder* einbruchmelde* feuermelder* brandmelde* bewegungsmelder* einbruchschutz* gegensprechanlage videoüberwachung alarm alarmanlage* alarmsystem*',
  rent: 'miete mietzahlung* mietzins* kaltmiete* warmmiete* mieterhöhung* nettokaltmiete* mietrückstand* monatsmiete* bruttomiete indexmiete* staffelmiete',
  serviceCharges:
    'nebenkosten* betriebskosten* heizkosten* hausgeld* wohngeldabrechnung* hausnebenkosten umlagen umlageschlüssel*',
  deposit: 'kaution* mietkaution* mietsicherheit* mietbürgschaft* sicherheitsleistung* barkaution',
  landlord:
    'vermiet* mieter mieterin mietern mieterverein* mietvertrag* mietverhältnis* mietwohnung* hausverwaltung* untermiet* mietsache* eigenbedarf* mietrecht* wohnungsgesellschaft wohnungsbaugesellschaft',
  mortgage:
    'hypothek* baufinanzier* immobilienkredit* immobiliendarlehen* grundschuld* anschlussfinanzierung* baukredit* bauspar* zinsbindung* restschuld baudarlehen* immobilienfinanzierung*',
  propertyTax: 'grundsteuer* grundabgabe* grundstückswert* hebesatz* grundbesitz* einheitswert',
  ownersMeeting:
    'eigentümerversammlung* wohnungseigentüm* eigentümergemeinschaft* teilungserklärung* hausverwalter* miteigentüm* wohneigentum* sonderumlage',
  handover:
    'wohnungsübergabe* übergabe übergabeprotokoll* übergabetermin* schlüsselübergabe* wohnungsabnahme* abnahmeprotokoll* wohnungsrückgabe vorabnahme',
  moving:
    'umziehen umzüge umgezogen möbelwagen* spedition* umzugskarton* möbelpacker* halteverbot* möbeltransport* umzugsfirma umzugsunternehmen nachsendeauftrag* möbelspedition umzug umzuges umzugs umzugskosten umzugshelfer* umzugstermin*',
  meter:
    'zähler zählerstand* zählerstände* ablesung* zählernummer* stromzähler* gaszähler* wasserzähler* wasseruhr* ablesen zählerwechsel zählertausch messstelle* smartmeter wärmemengenzähler*',
  car: 'auto autos wagen pkw kfz fahrzeug* kraftfahrzeug* gebrauchtwagen* neuwagen* automobil* karre dienstwagen* leasingfahrzeug* elektroauto*',
  carService:
    'autowerkstatt* werkstatt* inspektion* ölwechsel* bremse bremsen bremsbeläge bremsscheibe* autohaus* kfzwerkstatt* zahnriemen kundendienst kupplung auspuff fahrzeugwartung karosserie* reparaturwerkstatt rückrufaktion',
  carInspection: 'tüv hauptuntersuchung* hu dekra abgasuntersuchung* gtü küs prüfplakette* plakette tüvtermin',
  tyres:
    'winterreifen* sommerreifen* ganzjahresreifen* räder radwechsel* räderwechsel* felge felgen profiltiefe* rädereinlagerung* winterräder sommerräder bereifung allwetterreifen reifen reifenwechsel* reifenhändler* reifendienst* reifenservice* reifenlager*',
  carInsurance:
    'autoversicherung* kfzversicherung* kasko* vollkasko* teilkasko* schadenfreiheit* kraftfahrtversicherung* evb schutzbrief* fahrzeugversicherung*',
  carTax: 'kfzsteuer* kraftfahrzeugsteuer* autosteuer* fahrzeugsteuer* hauptzollamt* zollamt',
  drivingLicence:
    'führerschein* fahrerlaubnis* fahrschule* fahrstunde* fahrprüfung* fahrlehrer* theorieprüfung kartenführerschein',
  fine: 'bußgeld* strafzettel* knöllchen verwarnungsgeld* verwarngeld* blitzer* geblitzt ordnungswidrigkeit* geschwindigkeitsüberschreitung* anhörungsbogen* flensburg falschparken parkverstoß* ordnungsamt verkehrsverstoß* radarfalle',
  bicycle:
    'fahrrad* fahrräder rad ebike* e-bike* pedelec* lastenrad* lastenräder velo radladen zweirad* kinderfahrrad* rennrad* mountainbike* drahtesel dienstrad* jobrad*',
  breakdown:
    'pannenhilfe* adac panne abschlepp* pannendienst* abgeschleppt schutzbrief* avd starthilfe* mobilitätsgarantie*',
  parking:
    'parkausweis* anwohnerpark* bewohnerpark* parkplatz* parkplätze parkhaus* stellplatz* stellplätze tiefgarage* parkschein* parken parkgebühr* parkraum* flughafenparkplatz parkberechtigung garage*',
  train:
    'zug züge bahn bahncard* bahnfahrt* bahnticket* bahnhof* ice zugfahrt* zugticket* zugverbindung* fahrkarte* regionalbahn* regionalexpress* sitzplatzreservierung* bahnreise* öbb sbb sparpreis',
  flight:
    'flug flüge flugticket* flugreise* flughafen* flugbuchung* fluggesellschaft* abflug* rückflug* hinflug* bordkarte* lufthansa airline* flieger airport* flugzeug* handgepäck boarding fluggast*',
  bus: 'bus busse busfahrt* nahverkehr* öpnv straßenbahn* tram s-bahn u-bahn monatskarte* deutschlandticket* jobticket* fernbus* flixbus* schülerticket* abokarte* verkehrsbetriebe* verkehrsverbund*',
  ferry:
    'fähre* fährverbindung* fährticket* fährüberfahrt* überfahrt* schiff schiffsreise* kreuzfahrt* reederei* einschiffung* autofähre* fährhafen*',
  hotel:
    'hotel* pensionszimmer übernachtung* gasthof* gästehaus* hostel* jugendherberge* doppelzimmer* einzelzimmer* zimmerreservierung* herberge gasthaus* zimmerbuchung* pension',
  holidayFlat:
    'ferienwohnung* ferienhaus* ferienhäuser fewo fewos airbnb ferienunterkunft* urlaubsdomizil* feriendomizil* ferienapartment* chalet* ferienobjekt',
  carHire:
    'mietwagen* leihwagen* autovermietung* sixt europcar hertz avis carsharing* mietauto* fahrzeugvermietung autoverleih',
  travelInsurance:
    'reiseversicherung* reiserücktritt* auslandskranken* reisekranken* reiseschutz* reiseabbruch* rücktransport reisegepäckversicherung*',
  visa: 'visum* visa aufenthaltstitel* aufenthaltserlaubnis* ausländerbehörde* einreise* esta konsulat* botschaft niederlassungserlaubnis* aufenthaltsgenehmigung*',
  passport:
    'reisepass* reisepässe personalausweis* ausweis ausweise pässe perso kinderreisepass* bundesdruckerei ausweisdokument* identitätskarte* passfoto* biometrisch* bürgeramt bürgerbüro',
  tax: 'steuer steuern finanzamt* steuernummer* steuerlich* steuerzahlung* steuerpflicht* elster fiskus steueramt* steuervorauszahlung* vorauszahlungsbescheid*',
  taxReturn:
    'steuererklärung* steuerbescheid* steuerberat* einkommensteuer* lohnsteuer* elster steuererstattung* veranlagung* steuerunterlagen jahressteuer* einkommenssteuer* steuerausgleich',
  vat: 'umsatzsteuer* mehrwertsteuer* ust mwst voranmeldung* vorsteuer* ustva kleinunternehmer*',
  salary:
    'gehälter lohn löhne lohnabrechnung* gehaltsabrechnung* verdienstabrechnung* entgeltabrechnung* entgelt bezüge lohnzettel* gehaltszettel* lohnbuchhaltung* bezügemitteilung* verdienstbescheinigung* gehaltsnachweis* gehalt gehalts gehaltszahlung* gehaltsmitteilung*',
  pension:
    'rente rentner* rentenversicherung* rentenbescheid* rentenantrag* altersvorsorge* riester* altersrente* renteninformation* betriebsrente* ruhestand* ruhegehalt* rentenkonto rürup*',
  bankCard:
    'bankkarte* girocard* girokarte* ec-karte eckarte* debitkarte* maestro pin geldautomat* kartenpin bankomat* sparkassencard* bankcard',
  bankAccount:
    'girokonto* bankkonto* konto kontoauszug* kontoauszüge dauerauftrag* daueraufträge iban überziehung* kontoführung* kontowechsel* sparkasse* volksbank* onlinebanking dispokredit* tagesgeld* gemeinschaftskonto* bankverbindung* sparbuch kontoeröffnung* freistellungsauftrag*',
  loan: 'kredit kredite kreditvertrag* kreditrate* darlehen* ratenkredit* tilgung* kreditnehmer* ratenzahlung* autokredit* privatkredit* kreditgeber* schufa',
  creditCard: 'kreditkarte* mastercard* visacard visakarte* amex kartenumsätze karteninhaber* barclaycard',
  insurance: 'versicherung* versicherer* versichert* police policen allianz huk assekuranz*',
  liability: 'haftpflicht* privathaftpflicht* deckungssumme* phv tierhalterhaftpflicht* hundehaftpflicht*',
  household: 'hausrat* gebäudeversicherung* einbruchdiebstahl* elementarschaden* elementarversicherung* wohngebäude*',
  legalInsurance:
    'rechtsschutz* deckungszusage* arag verkehrsrechtsschutz* deckungsanfrage* rechtsstreit* streitwert* prozesskosten*',
  lifeInsurance:
    'lebensversicherung* risikoleben* berufsunfähigkeit* sterbegeld* kapitallebens* todesfall* bezugsrecht* rückkaufswert* ablaufleistung* hinterbliebenen*',
  claim:
    'schaden schadens* schadenmeldung* schadenfall* schäden schadenersatz* wasserschaden* wasserschäden sachverständig* schadenregulierung* schadennummer* schadenanzeige* leitungswasserschaden* sturmschaden* blechschaden* unfall unfallbericht* unfallmeldung* unfallschaden* unfallgegner*',
  court:
    'amtsgericht* landgericht* richter* verhandlung* aktenzeichen schöffe* mahnbescheid* gericht gerichts* gerichtlich* urteil klage klageschrift*',
  lawyer:
    'anwalt* anwält* rechtsanwalt* rechtsanwält* kanzlei* mandant* rechtsberatung* vollmacht* fachanwalt* fachanwält* rechtsbeistand*',
  notary: 'notar* beurkund* kaufvertragsentwurf* beglaubig* grundbuch* auflassung*',
  inheritance:
    'erbe erben erbschaft* testament* nachlass* erbschein* erblass* vermächtnis* pflichtteil* hinterlassenschaft* erbengemeinschaft* erbrecht* letztwillig* erbfall',
  residence:
    'ummeld* anmeldebestätigung* einwohnermelde* meldebescheinigung* meldeamt* bürgeramt* bürgerbüro* wohnsitz* meldebestätigung* wohnungsgeberbestätigung* adressänderung* anschriftenänderung* abmeldebescheinigung meldebehörde*',
  certificate:
    'geburtsurkunde* heiratsurkunde* eheurkunde* sterbeurkunde* führungszeugnis* urkunde urkunden standesamt* apostille* personenstand* beglaubigte',
  vote: 'wahl wahlen briefwahl* wahlbenachrichtigung* wahlschein* bundestagswahl* landtagswahl* kommunalwahl* stimmzettel* wahllokal* europawahl* wahlunterlagen* wahlamt wahlberechtigt* volksentscheid',
  benefit:
    'bürgergeld* jobcenter* arbeitsagentur* wohngeld* grundsicherung* sozialhilfe* arbeitslos* sozialleistung* bafög sozialamt* bewilligungsbescheid* pflegegeld* weiterbewilligung*',
  childBenefit:
    'kindergeld* elterngeld* familienkasse* kinderzuschlag* elternzeit* mutterschaftsgeld* mutterschutz* unterhaltsvorschuss*',
  school:
    'schule schulen schulanmeldung* grundschule* gymnasium* schüler* klassenlehr* lehrer* lehrkraft* lehrkräfte zeugnis* hausaufgabe* realschule* schuljahr* einschulung* schulleit* schulbücher schulsachen stundenplan* nachhilfe* hort klassenkasse gesamtschule*',
  nursery:
    'kita kitas kindergarten* kindertages* kitaplatz* kindergärt* betreuungsplatz* erzieher* vorschule* kitagebühr* elternbeitrag* kinderkrippe* krippe krippen krippenplatz*',
  trip: 'ausflug* ausflüge klassenfahrt* klassenausflug* wandertag* exkursion* schulausflug* landschulheim* studienfahrt* skilager* schullandheim* tagesfahrt* vereinsausflug',
  permission:
    'einverständnis* einwilligung* erlaubnis zustimmungserklärung* erziehungsberechtigt* rücklaufzettel* elternbrief*',
  parentsEvening:
    'elternabend* elternsprechtag* elterngespräch* elternversammlung* elternvertret* elternbeirat* entwicklungsgespräch* elternsprecher* elternrat',
  canteen:
    'schulessen* mensa* mittagessen* kantine* essensgeld* mittagsverpfleg* schulverpfleg* essensbestellung* verpflegungsgeld* schulkantine speiseplan* essensmarke*',
  music:
    'musik* klavier* gitarre* instrumental* schlagzeug* violin* vorspiel trompete* blockflöte* klarinette* geigen* cello cellounterricht cellolehrer* geige flöte flöten flötenunterricht',
  swimming: 'schwimm* seepferdchen* hallenbad* freibad* freischwimmer* badehose badeanzug* kraulkurs* bademeister*',
  exam: 'prüfung* klausur* examen* klassenarbeit* abitur* nachprüfung* sprachtest* abschlussprüfung* abi matura zwischenprüfung*',
  university:
    'universität* uni hochschule* studium* studien* semester* masterarbeit* bachelorarbeit* doktorarbeit* dissertation* vorlesung* immatrikul* exmatrikul* rückmeldung* student* studierend* hausarbeit* promotion* seminararbeit* abschlussarbeit* professor* fakultät*',
  childminder:
    'tagesmutter* tagesmütter babysitter* kinderbetreuung* kindertagespflege* tagespflege* leihoma* kinderfrau aupair* nanny kindermädchen* tagesvater*',
  birthday: 'geburtstag* kindergeburtstag* bday ehrentag* wiegenfest*',
  wedding:
    'hochzeit* trauung* standesamt* brautkleid* brautpaar* braut bräutigam* polterabend* trauzeug* eheschließung* verlobung* junggesell* vermähl* flitterwochen trauringe heirat heiraten heiratsurkunde*',
  funeral:
    'beerdigung* bestatt* beisetzung* friedhof* gräber trauer* begräbnis* sarg kondolenz* leichenschmaus grabstein* urne urnen urnenbeisetzung* grab grabes grabpflege* grabstelle* grabnutzung*',
  vet: 'tierarzt* tierärzt* tierklinik* kastration* entwurm* wurmkur* tollwut* veterinär* kleintierpraxis*',
  kennel:
    'tierpension* hundepension* katzenpension* hundesitter* katzensitter* tiersitter* hundehotel* tierbetreuung* hundebetreuung* hundetagesstätte* huta tierhotel',
  dogTax:
    'hundesteuer* hundemarke* hund hunde hundehalter* hundeanmeldung* welpe* hundehaltung* hundeschule* steuermarke*',
  football:
    'fußball* fussball* sportverein* vereinsbeitrag* mannschaft* trikot* spieltag* turnier* handball* fc turnverein* punktspiel* heimspiel* auswärtsspiel* stadion* tennisclub*',
  gym: 'fitness* mcfit trainingsplan* muckibude kraftraum* fitx crossfit* probetraining* krafttraining* laufband* studiovertrag',
  yoga: 'yoga* pilates* meditation* achtsamkeit* hatha vinyasa autogenes entspannungskurs*',
  choir:
    'chor chöre chorprobe* chorleit* singen gesang* sopran* kantorei* chorkonzert* stimmbildung* männergesang* sänger* kantate* chorfahrt*',
  library:
    'bibliothek* bücherei* stadtbibliothek* stadtbücherei* leihfrist* entliehen* ausleih* mahngebühr* vorgemerkt* rückgabedatum',
  theatre:
    'theater* oper ballett* schauspiel* vorstellung* musical* spielzeit* premiere* inszenierung* aufführung* kabarett* opern opernhaus* opernkarte*',
  concert:
    'konzert* festival* orchester* philharmon* eventim tournee* gastspiel* sinfonie* open-air symphonie* livekonzert',
  museum:
    'museum* museen ausstellung* galerie* vernissage* kunsthalle* kunstverein* dauerausstellung* sonderausstellung*',
  restaurant:
    'restaurant* gaststätte* tischreservierung* wirtshaus* pizzeria* abendessen* gasthof* opentable gastronom* bistro* brauhaus* biergarten*',
  newspaper:
    'zeitung* zeitschrift* abo tageszeitung* wochenzeitung* illustrierte* morgenpost* epaper* süddeutsche faz probeabo* magazin magazine',
  streaming: 'streaming* netflix spotify disney dazn audible deezer',
  software:
    'software* lizenzschlüssel* microsoft adobe virenschutz* antivirus programmlizenz jetbrains lizenz lizenzen lizenzverlängerung*',
  domain:
    'domain* webhosting* hosting* webspace* internetadresse* dns ionos strato hetzner ssl website* webseite* homepage* internetauftritt* webauftritt',
  conference:
    'konferenz* tagung* kongress* messe messestand* symposium* fachtagung* fachmesse* barcamp* referent* jahrestagung* aussteller* messeticket*',
  course:
    'kurs kursanmeldung* seminar seminare seminaranmeldung* workshop* fortbildung* weiterbildung* schulung* lehrgang* volkshochschule* vhs sprachkurs* kursgebühr* kursplatz webinar* ersthelfer* kurse',
  contract:
    'vertrag* verträge arbeitsvertrag* vereinbarung* unterzeichn* docusign gegenzeichn* werkvertrag* rahmenvertrag* unterschrift* dienstvertrag*',
  quote:
    'angebot* kostenvoranschlag* kostenvoranschläge voranschlag* offerte* preisangebot* kostenschätzung* ausschreibung* kva preisanfrage* offert',
  translation: 'übersetz* dolmetsch* korrektorat* sprachmittl* fachübersetzung* lektor* fremdsprach* simultan*',
  meeting:
    'besprechung* meeting* sitzung* tagesordnung* teamsitzung* agenda protokoll* dienstbesprechung* videokonferenz* telko telefonkonferenz* abstimmungstermin* teamrunde* projektrunde',
  presentation: 'präsentation* folien foliensatz* powerpoint* vortrag* vorträge präsentier* pitch slides foliendeck*',
  expenses:
    'spesen* reisekosten* auslage auslagen* bewirtung* dienstreise* kilometergeld* verpflegungsmehraufwand* fahrtkosten*',
  timesheet:
    'stundenzettel* zeiterfassung* stundennachweis* arbeitszeit* überstunden* stundenabrechnung* stundenerfassung* leistungsnachweis* zeitnachweis*',
  laptop:
    'laptop* notebook* macbook* computer* rechner pc thinkpad* festplatte* dienstrechner* bildschirm* arbeitsplatzrechner',
  eventHall:
    'saal säle festsaal* veranstaltungsraum* veranstaltungsräume gemeindesaal* bürgerhaus* festhalle* raummiete* saalmiete* vereinsheim* stadthalle* mehrzweckhalle* tagungsraum* dorfgemeinschaftshaus*',
  printing:
    'druckerei* flyer* visitenkarte* broschüre* druckdaten* drucksache* faltblatt* druckauftrag* druckfreigabe* briefpapier* handzettel* druckfahne* copyshop* druckprodukt* plakat plakate plakaten',
  parcel:
    'paket pakete* päckchen* sendung sendungen sendungsnummer* sendungsverfolg* dhl hermes dpd gls zustell* packstation* abholschein* postfiliale* warensendung* paketshop* abholkarte retoure* paketbote',
  clothes:
    'schuh* kleidung* hose hosen jacke jacken mantel mäntel änderungsschneider* schneider* stiefel* anzug anzüge hemd hemden zalando sneaker* schuster* pullover* klamotten bluse* winterjacke turnschuh* kleid',
  phone:
    'handy handys smartphone* iphone* telefon ipad* mobiltelefon* handyreparatur* displayreparatur* mobilgerät* tablet tablets',
  book: 'buch bücher buchhandlung* buchladen* taschenbuch* roman romane isbn buchhändl* thalia hugendubel hörbuch* buchbestellung* fachbuch* fachbücher kinderbuch* lektüre',
  coffee: 'kaffee* espresso* siebträger* vollautomat* delonghi nespresso entkalk* mahlwerk* mokka brühgruppe',
  gift: 'geschenk* gutschein* präsent* mitbringsel* weihnachtsgeschenk* geburtstagsgeschenk* bescherung',
  flowers: 'blume blumen* florist* tulpen fleurop orchidee* kränze sträuße',
  food: 'lebensmittel* lieferando supermarkt* rewe edeka gemüsekiste* metzger* bäcker* lieferdienst* kochbox* biokiste* brötchen* catering* fleischer* pizza partyservice obstkiste*',
  christmasTree:
    'weihnachtsbaum* weihnachtsbäume christbaum* christbäume tannenbaum* tannenbäume nordmanntanne* tanne fichte blaufichte*',
};
