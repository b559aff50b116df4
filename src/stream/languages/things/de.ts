import type { Things } from './things.ts';

/** Everyday things in German. */
export const THINGS_DE: Things = {
  dentist:
    'zahn* zähne zähnen kieferorthopäd* prophylaxe karies dental* wurzelbehandlung backenzahn weisheitszahn* weisheitszähne füllung parodont* gebiss gebisse spange implantat* milchzahn',
  doctor:
    'arzt arztes arzttermin* arztpraxis ärzt* hausarzt* praxis facharzt* kinderarzt* hautarzt* frauenarzt* vorsorgeuntersuchung* sprechstunde* checkup orthopäd* überweisungsschein doktor vorsorgetermin',
  eyes: 'auge augenarzt* optik optiker* augenoptik* sehtest* brille brillen* gleitsicht* kontaktlinse* sehstärke sehhilfe* sonnenbrille* lesebrille* netzhaut* hornhaut* glaukom* augen augenlicht augentropfen augenklinik* augenuntersuchung* augenpraxis*',
  vaccination:
    'geimpft auffrischung* auffrischimpfung* tetanus grippeschutz* grippeimpfung* zeckenimpfung fsme schutzimpfung* piks stiko impfung* impfen impfpass* impfpässe impftermin* impfstoff* impfausweis* impfbuch* masern masernschutz*',
  prescription:
    'apothek* medikament* arznei* folgerezept* erezept* wirkstoff* verschreib* verordn* hustensaft antibiotik* pille rezept rezepte rezeptes rezeptpflichtig* rezeptgebühr* salbe tablette tabletten',
  physio:
    'krankengymnast* massage* osteopath* manualtherap* heilmittel* lymphdrainage* chiropra* ergotherap* reha rehasport physio physiotherap* physiopraxis',
  hospital:
    'krankenhaus* klinik klinikum* kliniken spital stationär* operation* narkose* chirurg* ambulanz* entlassbrief entlassungsbrief radiolog* mrt röntgen* universitätsklinik*',
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
    'fenster* rollladen* rolladen* jalousie* markise* glaser* verglas* isolierglas* dachfenster* rollo rollos sonnenschutz raffstore*',
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
    'küche küchen* einbauküche* kühlschrank* gefrierschrank* backofen* backöfen herd kochfeld* dunstabzug* gefriertruhe* mikrowelle* tiefkühl* arbeitsplatte* haushaltsgerät* elektrogroßgerät* ceranfeld',
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
    'fernseh* gez beitragsservice satellitenschüssel* kabelfernseh* receiver glotze flachbildschirm* rundfunk*',
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
  carInspection: 'tüv hauptuntersuchung* dekra abgasuntersuchung* gtü küs prüfplakette* plakette tüvtermin',
  tyres:
    'winterreifen* sommerreifen* ganzjahresreifen* räder radwechsel* räderwechsel* felge felgen profiltiefe* rädereinlagerung* winterräder sommerräder bereifung allwetterreifen reifen reifenwechsel* reifenhändler* reifendienst* reifenservice* reifenlager*',
  carInsurance:
    'autoversicherung* kfzversicherung* kasko* vollkasko* teilkasko* schadenfreiheit* kraftfahrtversicherung* evb schutzbrief* fahrzeugversicherung*',
  carTax: 'kfzsteuer* kraftfahrzeugsteuer* autosteuer* fahrzeugsteuer* hauptzollamt* zollamt',
  drivingLicence:
    'führerschein* fahrerlaubnis* fahrschule* fahrstunde* fahrprüfung* fahrlehrer* theorieprüfung kartenführerschein',
  fine: 'bußgeld* strafzettel* knöllchen verwarnungsgeld* verwarngeld* blitzer* geblitzt ordnungswidrigkeit* geschwindigkeitsüberschreitung* anhörungsbogen* flensburg falschparken parkverstoß* ordnungsamt verkehrsverstoß* radarfalle',
  bicycle:
    'fahrrad* fahrräder rad ebike* pedelec* lastenrad* lastenräder velo radladen zweirad* kinderfahrrad* rennrad* mountainbike* drahtesel dienstrad* jobrad*',
  breakdown:
    'pannenhilfe* adac panne abschlepp* pannendienst* abgeschleppt schutzbrief* avd starthilfe* mobilitätsgarantie*',
  parking:
    'parkausweis* anwohnerpark* bewohnerpark* parkplatz* parkplätze parkhaus* stellplatz* stellplätze tiefgarage* parkschein* parken parkgebühr* parkraum* flughafenparkplatz parkberechtigung garage*',
  train:
    'zug züge bahn bahncard* bahnfahrt* bahnticket* bahnhof* ice zugfahrt* zugticket* zugverbindung* fahrkarte* regionalbahn* regionalexpress* sitzplatzreservierung* bahnreise* öbb sbb sparpreis',
  flight:
    'flug flüge flugticket* flugreise* flughafen* flugbuchung* fluggesellschaft* abflug* rückflug* hinflug* bordkarte* lufthansa airline* flieger airport* flugzeug* handgepäck boarding fluggast*',
  bus: 'bus busse busfahrt* nahverkehr* öpnv straßenbahn* tram monatskarte* deutschlandticket* jobticket* fernbus* flixbus* schülerticket* abokarte* verkehrsbetriebe* verkehrsverbund*',
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
    'bankkarte* girocard* girokarte* eckarte* debitkarte* maestro pin geldautomat* kartenpin bankomat* sparkassencard* bankcard',
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
    'schaden schadens* schadenmeldung* schadenfall* schadenersatz* wasserschaden* wasserschäden sachverständig* schadenregulierung* schadennummer* schadenanzeige* leitungswasserschaden* sturmschaden* blechschaden* unfall unfallbericht* unfallmeldung* unfallschaden* unfallgegner*',
  court:
    'amtsgericht* landgericht* richter* verhandlung* aktenzeichen schöffe* mahnbescheid* gericht gerichts* gerichtlich* urteil klage klageschrift*',
  lawyer: 'anwalt* rechtsanwalt* kanzlei* mandant* rechtsberatung* vollmacht* fachanwalt* rechtsbeistand*',
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
  vet: 'tierarzt* tierklinik* kastration* entwurm* wurmkur* tollwut* veterinär* kleintierpraxis*',
  kennel:
    'tierpension* hundepension* katzenpension* hundesitter* katzensitter* tiersitter* hundehotel* tierbetreuung* hundebetreuung* hundetagesstätte* huta tierhotel',
  dogTax:
    'hundesteuer* hundemarke* hund hunde hundehalter* hundeanmeldung* welpe* hundehaltung* hundeschule* steuermarke*',
  football:
    'fußball* fussball* sportverein* vereinsbeitrag* mannschaft* trikot* spieltag* turnier* handball* turnverein* punktspiel* heimspiel* auswärtsspiel* stadion* tennisclub*',
  gym: 'fitness* mcfit trainingsplan* muckibude kraftraum* fitx crossfit* probetraining* krafttraining* laufband* studiovertrag',
  yoga: 'yoga* pilates* meditation* achtsamkeit* hatha vinyasa autogenes entspannungskurs*',
  choir:
    'chor chöre chorprobe* chorleit* singen gesang* sopran* kantorei* chorkonzert* stimmbildung* männergesang* sänger* kantate* chorfahrt*',
  library:
    'bibliothek* bücherei* stadtbibliothek* stadtbücherei* leihfrist* entliehen* ausleih* mahngebühr* vorgemerkt* rückgabedatum',
  theatre:
    'theater* oper ballett* schauspiel* vorstellung* musical* spielzeit* premiere* inszenierung* aufführung* kabarett* opern opernhaus* opernkarte*',
  concert: 'konzert* festival* orchester* philharmon* eventim tournee* gastspiel* sinfonie* symphonie* livekonzert',
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
    'laptop* notebook* macbook* computer* rechner thinkpad* festplatte* dienstrechner* bildschirm* arbeitsplatzrechner',
  eventHall:
    'saal säle festsaal* veranstaltungsraum* veranstaltungsräume gemeindesaal* bürgerhaus* festhalle* raummiete* saalmiete* vereinsheim* stadthalle* mehrzweckhalle* tagungsraum* dorfgemeinschaftshaus*',
  printing:
    'druckerei* flyer* visitenkarte* broschüre* druckdaten* drucksache* faltblatt* druckauftrag* druckfreigabe* briefpapier* handzettel* druckfahne* copyshop* druckprodukt* plakat plakate plakaten',
  parcel:
    'paket pakete* päckchen* sendung sendungen sendungsnummer* sendungsverfolg* dhl hermes dpd gls zustell* packstation* abholschein* postfiliale* warensendung* paketshop* abholkarte retoure* paketbote',
  clothes:
    'schuh* kleidung* hose hosen jacke jacken mantel änderungsschneider* schneider* stiefel* anzug anzüge hemd hemden zalando sneaker* schuster* pullover* klamotten bluse* winterjacke turnschuh* kleid',
  phone:
    'handy handys smartphone* iphone* telefon ipad* mobiltelefon* handyreparatur* displayreparatur* mobilgerät* tablet tablets',
  book: 'buch bücher buchhandlung* buchladen* taschenbuch* roman romane isbn buchhändl* thalia hugendubel hörbuch* buchbestellung* fachbuch* fachbücher kinderbuch* lektüre',
  coffee: 'kaffee* espresso* siebträger* vollautomat* delonghi nespresso entkalk* mahlwerk* mokka brühgruppe',
  gift: 'geschenk* gutschein* präsent* mitbringsel* weihnachtsgeschenk* geburtstagsgeschenk* bescherung',
  flowers: 'blume blumen* florist* tulpen fleurop orchidee* kränze sträuße',
  food: 'lebensmittel* lieferando supermarkt* rewe edeka gemüsekiste* metzger* bäcker* lieferdienst* kochbox* biokiste* brötchen* catering* fleischer* pizza partyservice obstkiste*',
  christmasTree:
    'weihnachtsbaum* weihnachtsbäume christbaum* christbäume tannenbaum* tannenbäume nordmanntanne* tanne fichte blaufichte*',
  hearing:
    'hörtest* hörgerät* hörakustik* akustiker* hörsystem* hörhilfe* hörzentrum* hörstudio* otoplastik* ohrenarzt* hno hnoarzt ohr ohren ohrenschmalz audiolog* tinnitus geers schwerhörig*',
  allergy:
    'allergi* allergo* asthma* heuschnupfen* pricktest* hyposensibili* desensibili* pollen* nahrungsmittelunverträglich* unverträglichkeit* lungenfunktion* inhalator* neurodermitis laktose* epikutantest* antihistamin* pneumolog* lungenfach* hausstaub* epipen',
  heart:
    'herz herzens kardio* blutdruck* bluthochdruck* ekg langzeitekg belastungsekg herzultraschall* echokardio* herzschrittmacher* herzrhythmus* herzklappe* herzkatheter* kreislauf* vorhofflimmern schrittmacher* internist* hypertonie statine',
  skin: 'hautarzt* hautscreening* hautkrebs* hautpraxis* muttermal* leberfleck* melanom* warze* hautklinik* hautausschlag* ausschlag ekzem* akne hautvorsorge* hautzentrum schuppenflechte dermato*',
  xray: 'röntgen* radiolog* mrt kernspin* magnetresonanz* computertomogra* tomogra* sonogra* ultraschall* mammogra* szintigra* bildgebung bildgebend* kontrastmittel* knochendichte* nuklearmedizin*',
  operation:
    'operation operationstermin* operationsaufklärung* operativ* operier* eingriff* narkose* anästhes* chirurg* vollnarkose nüchtern* tagesklinik* prämedikation* aufklärungsgespräch* arthroskop* leistenbruch* fäden knie',
  cataract:
    'katarakt* staroperation* augenoperation* augenlaser* lasik intraokular* kunstlinse* linsenimplantat* augenklinik* augenzentrum* augentropfen hornhaut* makula* netzhaut* augenchirurg* linse sehkraft',
  pregnancy:
    'schwanger* hebamme* geburt geburten geburtsvorbereit* geburtstermin entbindung* geburtshaus* kreißsaal* mutterpass* wochenbett* rückbildung* frauenarzt* gynäkolog* stillberat* pränatal* neugeboren* nackenfalte* babybauch mutterschutz*',
  therapy:
    'psychotherap* psycholog* psychiat* therapeut* therapieplatz* therapiesitzung* therapie erstgespräch* probatorisch* verhaltenstherap* logopäd* ergotherap* sprachtherap* beratungsstelle* paartherap* paarberatung* gesprächstherap* depression* burnout seelsorge*',
  insoles:
    'einlage einlagen schuheinlage* einlagenversorg* orthopäd* orthese* prothese* bandage bandagen sanitätshaus* schiene fußpflege* podolog* maßschuh* kompressionsstrümpf* stützstrümpf* fußdruck* fußabdruck*',
  careHome:
    'pflegeheim* altenheim* altersheim* seniorenheim* seniorenresidenz* seniorenzentrum* pflegeplatz* heimplatz* heimvertrag* heimkosten* heimleitung* kurzzeitpflege* betreutes wohnstift* pflegezentrum* hospiz* seniorenstift* wohngruppe',
  carer:
    'pflegedienst* pflegegrad* pflegestufe* pflegekraft* pflegekräfte haushaltshilfe* pflegegeld* pflegekasse* begutachtung* sozialstation* altenpfleg* verhinderungspflege* betreuungskraft* alltagshilfe* alltagsbegleit* pflegebox pflegeberat* diakonie* entlastungsbetrag* pflegehilf*',
  sickNote:
    'krankschreib* krankgeschrieben krankmeld* krankenschein* arbeitsunfähig* krankheitstag* krankenstand* arztbescheinigung* gesundmeldung* krankheitsfall krankengeld* lohnfortzahlung* entgeltfortzahlung* attest attests atteste',
  cure: 'kur kuren kurklinik* kurantrag* kurhaus kurort* kurtaxe reha rehaklinik* rehaantrag* rehabilitation* anschlussheil* heilbad* sanatori* thermalbad* therme thermen kurgast* kuraufenthalt* bäderkur',
  hair: 'friseur* frisör* haarschnitt* haarschneid* haare haar barbier* barber* coiffeur* frisur* salon strähn* haarstudio* dauerwelle haarfarbe* hairstyl* haarstyl* haircut* bartpflege*',
  nutrition:
    'ernährungs* ernährung diät diäten diätassist* diätolog* ökotropholog* gewicht abnehm* bmi kalorien* übergewicht* adipositas weightwatchers vollwertkost* essverhalten',
  firstAid:
    'ersthelfer* erstehilfe* malteser johanniter* drk wiederbeleb* reanimation* defibrillator* betriebssanit* rotkreuz* samariter* asb lebensrett* sanitäter* verbandskasten* verbandkasten* notfalltraining* kindernotfall*',
  wheelchair:
    'rollstuhl* rollstühle rollator* gehhilfe* treppenlift* krücke* gehstock* gehwagen* badewannenlift* hilfsmittel* elektromobil* sanitätshaus* pflegebett* toilettensitz* barrierefrei* haltegriff* scooter gehgestell* unterarmgehstütz* lifta',
  boilerService:
    'heizungswartung* heizkessel* kesselwartung* therme thermenwartung* gastherme* wärmepumpe* brenner* brennwert* viessmann vaillant buderus junkers heizungsbau* heizungsmonteur* heizungstechnik* heizungsinstall* heizungsservice durchlauferhitzer* warmwasser*',
  solar:
    'solar* photovoltaik* pvanlage* wechselrichter* wallbox* balkonkraftwerk* einspeise* stromspeicher* batteriespeicher* marktstammdaten* kwp netzbetreiber* sonnenstrom* sonnenenergie*',
  insulation:
    'isolierung* wärmedämm* fassade* putz verputz* außenputz* innenputz* gerüst* stuckateur* gipser* rigips* trockenbau* kellerdecke* vollwärmeschutz wdvs sanierung* estrich dämmung* dämmstoff* dämmplatte*',
  floor:
    'fußboden bodenbelag* parkett* laminat* fliese* dielen* teppich* vinylboden* linoleum raumausstatt* estrich* abschleif* bodenlege* holzboden* böden korkboden*',
  bathroom:
    'badezimmer* badsanierung* badrenovierung* badumbau* bäder dusche* duschkabine* duschwanne* badewanne* waschbecken* waschtisch* toilette* wcsitz sanitär* fliesenleger* badmöbel* badausstellung* armatur* gästewc hansgrohe',
  door: 'tür türen haustür* wohnungstür* türklingel* klingel* gegensprechanlage* sprechanlage* türsprech* garagentor* tor tore türschließ* türblatt* zarge* hörmann zimmertür* türöffner* schiebetür* türscharnier*',
  fence:
    'zaun zäune zaunbau* gartenzaun* gartentor* zaunpfosten* sichtschutz* mauer gartenmauer* doppelstabmatte* maschendraht* staketenzaun* grundstücksgrenze* pfosten gabionen* zaunelement* stützmauer* natursteinmauer*',
  shed: 'gartenhaus* schuppen geräteschuppen* gewächshaus* carport* schrebergarten* kleingarten* kleingärt* gartenlaube* laube pavillon* gartenhütte* blockhaus* unterstand pergola parzelle* hütte frühbeet*',
  pests:
    'schädling* wespe* hornisse* mäuse kammerjäger* holzwurm* ungeziefer* ameise* motten marder* silberfisch* bettwanze* kakerlake* köder* befall entwesung* ratte ratten rattenbekämpf*',
  mould:
    'schimmel* feucht feuchtigkeit* feuchte wasserschaden* wasserschäden trocknung* bautrockn* luftentfeucht* stockfleck* leckage* leckortung* nässe raumluft* abdichtung* sporen hausschwamm*',
  lift: 'aufzüge fahrstuhl* fahrstühle rolltreppe* lift lifte schindler otis kone personenaufzug* fahrkorb* thyssenkrupp aufzug aufzugs aufzugsanlage* aufzugswartung* aufzugfirma*',
  buildingPermit:
    'bauantrag* bauanträge baugenehmigung* bauvoranfrage* bauamt* bauordnung* architekt* bauvorhaben* bauaufsicht* grundriss* bauplan* baupläne bebauungsplan* statik* nutzungsänderung* bauingenieur* lageplan* bauleit* bauvorlage* anbau',
  survey:
    'gutachten* gutachter* vermessung* vermesser* energieausweis* verkehrswert* sachverständig* wertermittlung* liegenschaft* immobilienbewertung* bodenrichtwert* flurkarte* energieberat* grenzstein* baugutacht* kataster*',
  housePurchase:
    'hauskauf* wohnungskauf* hausverkauf* wohnungsverkauf* immobilie* makler* immo exposé exposee kaufvertrag* kaufpreis* notartermin* eigentumswohnung* käufer courtage grundbuch* grunderwerbsteuer*',
  houseViewing:
    'besichtigung* wohnungsbesichtigung* hausbesichtigung* wohnungssuche* mietinteressent* wohnungsanzeige* immoscout* immowelt makler* exposé exposee selbstauskunft* zimmerwohnung kaltmiete* immo',
  subtenant: 'untermiet* mitbewohn* zwischenmiet* wgzimmer* wohngemeinschaft* nachmieter* untervermiet* wggesucht',
  storage:
    'lagerraum* lagerräume selfstorage lagerbox* einlager* kellerabteil* keller schließfach* schließfächer abstellraum* lagerung* möbellager* lagereinheit* mietlager* dachboden spind spinde',
  firewood:
    'brennholz* kaminholz* pellets pelletlieferung* holzpellets heizöl* öltank* tankwagen* raummeter* schüttraummeter brikett* buchenholz* scheitholz* anfeuerholz holzscheit* holzlieferung* ofenholz* brennstoff* holzhändler*',
  tools:
    'werkzeug* bohrmaschine* bohrer akkuschrauber* kettensäge* motorsäge* hammer schrauben* schleifmaschine* baumarkt* baumaschine* mietgerät* bagger* hilti makita minibagger hochdruckreiniger* stehleiter* trittleiter* kreissäge*',
  curtains:
    'vorhang* vorhänge gardine* plissee* rollo rollos jalousie* kissen polster* näherei nähmaschine* raumausstatt* stoff stoffe kissenbezug* tischdecke* schneiderei* dekostoff* nähkurs*',
  plants:
    'pflanze* saatgut* samen setzling* blumenerde* erde hochbeet* gärtnerei* stauden* zimmerpflanze* tomatenpflanze* jungpflanze* dünger düngen umtopf* blumenkasten* blumenzwiebel* kräuter gartencenter* gartenmarkt*',
  airConditioning:
    'klimaanlage* klimagerät* klimatechnik* klimatisierung* lüftung* dunstabzug* abzugshaube* filterwechsel* luftfilter* kältetechnik* kältemittel* ventilator* splitgerät* wohnraumlüftung* umluft* daikin lüfter klimaservice*',
  fireSafety:
    'feuerlöscher* brandschutz* rauchmelder* rauchwarnmelder* brandmelde* feuerbeschau* brandschau* sprinkler* evakuier* räumungsübung* fluchtweg* rettungsweg* löschdecke* feuerschutz* notausgang* brandverhüt* minimax',
  windscreen:
    'windschutzscheibe* frontscheibe* autoglas* steinschlag* steinschläge scheibe scheiben carglass scheibenwechsel* heckscheibe* scheibenreparatur* scheibenwischer* wischer wischerblätter glasbruch* glasschaden* autoscheibe* verbundglas* wintec kunstharz',
  carPurchase:
    'autokauf* autohändler* autohaus* gebrauchtwagen* neuwagen* probefahrt* zulassungsstelle kennzeichen* wunschkennzeichen nummernschild* fahrzeugbrief* fahrzeugschein* autoverkauf* fahrzeugpapier* vorführwagen* kfzzulassung* fahrzeugummeld*',
  carLease:
    'leasing* fahrzeugrückgabe* rücknahmeprotokoll* mehrkilometer* minderkilometer* kilometerleasing restwert* autoleasing* arval fahrzeugrücknahme*',
  motorbike:
    'motorrad* motorräder motorroller* moped* mofa* roller* simson yamaha kawasaki ducati versicherungskennzeichen* biker* zweirad* krad helm vespa vespas',
  camper:
    'wohnmobil* wohnwagen* camper* camping* stellplatz* stellplätze caravan* reisemobil* zeltplatz* zeltplätze vorzelt* markise* gasprüfung* wohnanhänger* bulli standplatz* dauercamp*',
  boat: 'boote boot bootsführer* sportboot* bootsschein* segel* motorboot* liegeplatz* liegeplätze marina yacht* hafenmeister* bootslager* bootshaus* winterlager* steg jolle* antifouling jachthafen* krantermin*',
  toll: 'maut* vignette* umweltplakette* umweltzone* pickerl asfinag autobahngebühr* streckenmaut citymaut tollcollect autobahnvignette* feinstaub* gotthard brennerautobahn',
  oilChange:
    'ölwechsel* motoröl* ölfilter* bremse bremsen bremsbelag* bremsbeläge* bremsscheibe* bremsflüssigkeit* autobatterie* auspuff* batterie starterbatterie* zündkerze* zahnriemen* stoßdämpfer* keilriemen* motorkontroll* werkstatt* atu',
  charging:
    'ladekarte* ladesäule* ladestation* ladepunkt* wallbox* ladestrom* ladevorgang* ladekabel* elektroauto* eauto emobil* elektromobil* enbw ionity ladetarif* schnelllade* aufladen ladeinfrastruktur*',
  seat: 'sitzplatz* sitzplätze fensterplatz* gangplatz* sitzreservierung* platzreservierung* sitzplan* upgrade* freigepäck* aufgabegepäck* handgepäck* beinfreiheit* platzkarte* boarding* sitzreihe* platzwahl*',
  luggage:
    'gepäck* koffer* reisetasche* rucksack* rucksäcke fundbüro* fundsache* tasche taschen rimowa trolley* samsonite verloren* reisegepäck* fundstelle* vermisst* liegengelassen liegengeblieben',
  refundTravel:
    'fahrgastrecht* fluggastrecht* entschädigung* verspätung* verspätet annullier* flugausfall* flugausfälle zugausfall* zugausfälle ausgefallen storniert stornierung* erstattung* ausgleichszahlung* flightright anschlusszug* reisemangel* reisemängel fahrpreiserstattung',
  stay: 'übernachtung* nächte unterkunft* unterkünfte zimmer* doppelzimmer* einzelzimmer* halbpension* vollpension* frühstück* aufenthalt anreise abreise checkin gast gäste hotel* gastgeber* ferienzimmer* pensionszimmer',
  tour: 'führung führungen stadtführung* stadtrundfahrt* rundfahrt* rundgang* ausflug* ausflüge skipass* skipässe skiverleih* reiseleit* stadtrundgang* tagesausflug* besichtigungstour* fremdenführ* gästeführ* audioguide* guide tagestour*',
  taxi: 'taxi* taxen transfer flughafentransfer* shuttle* mitfahr* fahrdienst* fahrgemeinschaft* sammeltaxi abholung* fahrservice* krankenfahrt* krankentransport* blablacar freenow chauffeur* mietwagenunternehm* limousine*',
  invoice:
    'rechnung* handwerkerrechnung* schlussrechnung* abschlagsrechnung* faktura fakturier* zahlbar zahlungsziel* skonto* arztrechnung* honorarnote* liquidation* zahlungseingang*',
  reminderFee:
    'mahnung* mahngebühr* mahnschreiben* zahlungserinner* inkasso* mahnstufe* zahlungsverzug* verzug verzugszins* gerichtsvollzieh* schulden säumnis* rückstand rückstände mahnverfahren* mahnwesen* schuldner* hauptforderung* gesamtforderung*',
  standingOrder:
    'dauerauftrag* daueraufträge lastschrift* einzugsermächtig* sepa abbuchung* abgebucht bankeinzug* einziehen sepamandat* rücklastschrift* gläubiger* kontobelast* mandat mandats mandatsreferenz*',
  transfer:
    'überweis* überwiesen auszahlung* ausgezahlt iban zahlungsempfäng* empfängerkonto* echtzeitüberweisung* bankverbindung* verwendungszweck* geldtransfer* zahlungsanweis* banküberweisung* girocode',
  investment:
    'depot* fonds investmentfonds etf etfs aktie* wertpapier* sparplan* sparpläne geldanlage* anlageberat* vermögen* börse* dividende* portfolio* rendite* broker* anleihe* deka investier*',
  savings:
    'tagesgeld* festgeld* sparbuch* sparbücher sparkonto* sparkonten zinsen zinssatz* zinsertrag* sparvertrag* sparbrief* sparschwein* freistellungsauftrag* kapitalertrag* zinsgutschrift* bausparvertrag* sparplan* termingeld* sparanlage*',
  crypto:
    'krypto* bitcoin* ethereum wallet* bitpanda binance coinbase kraken bison token* blockchain* ledger btc coin coins staking seedphrase',
  donation:
    'spende* zuwendungsbestätigung* sponsor* patenschaft* gemeinnützig* hilfswerk* caritas unicef betterplace wohltätig* förderverein* stiftung* förderkreis*',
  refund:
    'rückerstatt* erstattung* gutschrift* rückzahlung* rückbuchung* zurückerstatt* geldzurück* erstattet rückvergüt* gutgeschrieben chargeback kaufpreiserstattung* käuferschutz* überzahlung* überzahlt guthaben*',
  grant:
    'zuschuss* zuschüsse fördermittel* förderantrag* förderanträge förderbescheid* zuwendung* stipendi* subvention* förderprogramm* kfw bafa stiftung* projektförder* verwendungsnachweis* beihilfe* fördergeld* förderbank* förderzusage* förderbewillig*',
  studentLoan:
    'bafög* studienkredit* studierendenwerk* studentenwerk* studiendarlehen* ausbildungsförder* studienfinanz* bildungskredit* bundesverwaltungsamt* studienbeihilfe* bafoeg* studentenkredit* studienstipend* studienförder* kfw',
  businessRegistration:
    'gewerbeanmeld* gewerbe gewerbeamt* gewerbeschein* handelsregister* handelskammer* handwerkskammer* ihk hwk gewerbeummeld* gewerbeabmeld* selbständig* selbstständig* existenzgründ* gründung* freiberuf* firmengründ* transparenzregister* registergericht* kammerbeitrag*',
  bookkeeping:
    'buchhalt* jahresabschluss* jahresabschlüsse bilanz* datev steuerkanzlei* buchführung* einnahmenüberschuss* belege beleg lexoffice sevdesk bwa kontenabstimm* summensalden* finanzbuchhalt* lexware kassenbuch* buchungsbeleg*',
  customs:
    'zoll zollamt* zollämter zollgebühr* zollanmeld* zollabgabe* verzoll* hauptzollamt* importabgabe* zolltarif* zollerklär* auslandssendung* zollinhalt* warentarif* eori einfuhrabgabe* einfuhrumsatz* einfuhrzoll* ausfuhranmeldung*',
  powerOfAttorney:
    'vorsorgevollmacht* patientenverfügung* betreuungsverfügung* vollmacht* bevollmächtig* betreuungsgericht* betreuer* vormund* vorsorgeregister* generalvollmacht* betreuungsverein* kontovollmacht* vorsorgedokument* erwachsenenvertret*',
  powerStatement:
    'sozialversicherung* rentenversicherungsnummer* versicherungsverlauf* kontenklärung* renteninformation* versicherungsnummer* arbeitsbescheinigung* rentenauskunft* beitragszeit* beschäftigungsnachweis* lebenslaufnachweis svnummer versicherungszeit* versicherungskonto* rentenkonto*',
  deathCertificate:
    'sterbeurkunde* todesfall* todesfälle witwenrente* witwerrente* hinterbliebene* nachlass* verstorben* totenschein* sterbefall* sterbefälle witwe witwer waisenrente* leichenschau* erbschein* ableben todesbescheinigung* sterbegeld*',
  citizenship:
    'staatsbürger* staatsangehörig* einbürger* naturalis* sprachzertifikat* sprachnachweis* sprachprüfung* telc goethe loyalitätserklär* integrationskurs* deutschtest* bürgerschaft*',
  workPermit:
    'arbeitserlaubnis* aufenthaltserlaubnis* aufenthaltstitel* aufenthaltsgenehmigung* aufenthaltskarte* ausländerbehörde* ausländeramt* arbeitsgenehmigung* migrationsamt* migrationsbehörde* bluecard niederlassungserlaubnis* visum* fiktionsbescheinigung* fachkräfteeinwander* beschäftigungserlaubnis* arbeitsvisum* bamf',
  police:
    'polizei* anzeige strafanzeige* diebstahl* diebstähle gestohlen dieb zeuge zeugen zeugenaussage* zeugin kriminalpolizei* kripo einbruch* einbrüche einbrecher* vorladung* staatsanwalt* ermittlungsverfahren*',
  criminalRecord:
    'führungszeugnis* strafregister* leumund* bundeszentralregister* vorstrafe* unbedenklichkeit* polizeizeugnis* zuverlässigkeitsprüf* sicherheitsüberprüf* bundesjustizamt* polizeiliches registerauszug',
  complaint:
    'reklamation* reklamier* beanstand* verbraucherzentrale* verbraucherschutz* schlichtung* ombuds* mängelrüge* gewährleist* mängel kundenbeschwerde* beschwer* nachbesser* unzufrieden* bemängel* konsumentenschutz*',
  warranty:
    'garantie* gewährleist* rückruf* umtausch* defekt* austauschgerät* ersatzgerät* seriennummer* herstellergarantie* kaufbeleg* kulanz* austausch mangelhaft* nachbesser* umgetauscht',
  lostCard:
    'kartensperr* gesperrt sperrung* ersatzkarte* entsperr* sperrnotruf* kartenverlust* geheimzahl* pin pinbrief* kartenersatz* kontosperr* missbrauch* bankkarte* girokarte* girocard* phishing* sperren betrugsfall* betrugsverdacht*',
  schoolPlace:
    'schulanmeld* schulplatz* schulplätze einschul* schulwahl* schulbezirk* schulsprengel* schulwechsel* aufnahmegespräch* schulaufnahme* schuleingang* schuleinschreib* schulbewerb* grundschule* schulamt* oberschule* gymnasium* gymnasien anmeldewoche* schuluntersuchung*',
  schoolReport:
    'zeugnis zeugnisse zeugnisausgabe* zeugnisses halbjahreszeugnis* jahreszeugnis* noten notenspiegel* schulnote* zwischenzeugnis* abschlusszeugnis* versetzung* lernentwicklung* lernstand* schulzeugnis* klassenlehr* schullaufbahn* notenschluss abizeugnis* zensuren',
  schoolBooks:
    'schulbuch* schulbücher* schulsachen schulhefte* arbeitsheft* schreibwaren* kopiergeld* papiergeld büchergeld* lehrmittel* lernmittel* schulranzen* ranzen schultüte* stifte federmappe* materialliste* bücherliste* taschenrechner*',
  tutoring:
    'nachhilfe* lernhilfe* mathe mathenachhilfe* mathematik* schülerhilfe* studienkreis* förderunterricht* lerninstitut* lerntherap* hausaufgabenhilfe* hausaufgabenbetreu* prüfungsvorbereit* lernförder* vokabel* lerncoach*',
  exchange:
    'schüleraustausch* austauschschüler* austausch gastfamilie* erasmus* auslandssemester* auslandsjahr* austauschprogramm* gastschüler* gasteltern partnerschule* sprachreise* auslandsaufenthalt* austauschpartner* brieffreund* städtepartner* gastkind* learningagreement auslandspraktik*',
  camp: 'ferienlager* feriencamp* zeltlager* ferienfreizeit* ferienprogramm* ferienbetreu* sommercamp* pfingstlager* ferienspiel* ferienpass* jugendfreizeit* kinderfreizeit* sommerlager* herbstcamp* camp ferienkurs* lagerfeuer* kolonie',
  costume:
    'kostüm* verkleid* fasching* karneval* krippenspiel* fasnacht* fastnacht* halloween* theaterstück* schultheater* maske masken schulaufführung* generalprobe* perücke* theaterprobe* martinsumzug* schminke* sternsinger* requisiten',
  prom: 'abiball* abschlussball* abschlussfeier* abifeier* abitur* absolvent* ballkleid* zeugnisverleih* zeugnisübergabe* abizeitung* maturaball* entlassfeier* entlassungsfeier* schulabschluss* tanzball* abschlussfest* examensfeier* graduierung* abistreich*',
  judo: 'judo* karate* taekwondo* kampfsport* aikido* gürtelprüfung* gürtel dojo* kampfkunst* kickbox* jujutsu boxen boxtraining* selbstverteidig* ringen fechten krav prüfungsgürtel budo*',
  dance:
    'tanz tanzen tanzkurs* tanzschule* tanzstunde* ballett* tanzlehrer* tanzstudio* tanzunterricht* hiphop* salsa* tango* walzer* spitzenschuh* tänzer* choreogra* discofox* zumba* standardtanz*',
  riding:
    'reiten reitstunde* reitunterricht* reitverein* reitstall* reiterhof* pferd* pony* stall stallgasse hufschmied* sattel* sättel reitbeteiligung* voltigier* dressur* reithalle* koppel reitschul* reitstiefel*',
  tennis:
    'tennis* badminton* squash* schläger padel* federball* medenspiel* platzbuchung* tischtennis* besaitung* bespann* doppel federbälle*',
  athletics:
    'marathon* halbmarathon* leichtathlet* laufgruppe* lauftreff* laufveranstaltung* volkslauf* startnummer* triathlon* lauf läufer* firmenlauf* stadtlauf* joggen startplatz* startgebühr* startunterlage* laufverein* wettkampf* staffel*',
  climbing:
    'kletter* boulder* alpenverein* berghütte* bergtour* bergsteig* dav hütte* bergwander* alpin* karabiner* sektion wandern wanderung* wandergruppe* wandertour* wanderweg* wanderverein* wanderschuh*',
  skiing:
    'skier skikurs* skifahren skiurlaub* skischule* snowboard* skipass* skipässe liftkarte* skigebiet* langlauf* skiverleih* skiservice* piste pisten skiausrüst* skilift* skifreizeit* skiverein* skihelm*',
  scouts:
    'pfadfind* jugendgruppe* wölflinge* pfadi* gruppenstunde* stamm jungschar* jugendfeuerwehr* lagerfeuer* halstuch* zeltlager* jugendleit* sippe kjg cvjm landjugend* jugendverband* dpsg ministrant* kluft',
  instrument:
    'musikinstrument* leihinstrument* klavier* flügel instrument instrumente instrumentenbau* geige* gitarre* saiten mietklavier* musikhaus* leihgeige* bogen posaune* trompete* cello',
  childSeat:
    'kindersitz* kinderwagen* babyschale* buggy* autositz* reboarder* maxicosi babybett* gitterbett* kinderbett* isofix babysachen* hochstuhl* hochstühle babyausstattung* babymarkt* cybex babywiege* tragetuch* beistellbett*',
  toys: 'spielzeug* spielwaren* spielsachen puzzle* brettspiel* gesellschaftsspiel* lego* playmobil* kuscheltier* teddy* ravensburger spiele bauklötze holzspielzeug* kartenspiel* bobbycar* spielkonsole* puppe puppen puppenhaus*',
  baptism:
    'firmung* kommunion* erstkommunion* pfarr* pate paten patentante* patenonkel* gottesdienst* kirche* täufling* tauf jugendweihe* pastor* firmling* konfirmand* konfirmation*',
  anniversary:
    'jubiläum* jubiläen hochzeitstag* goldene silberhochzeit* goldhochzeit* klassentreffen* jahrgangstreffen* ehemaligentreffen* ehemalige ehemaligen jahrestag* firmenjubilä* abiturtreffen* jubilar* dienstjubilä* familientreffen* jahrgangsfeier* diamantene wiedersehen',
  party:
    'feier feiern party* einladung* gäste gästeliste* sommerfest* gartenfest* grillfest* grillen einweihung* weihnachtsfeier* fete buffet* silvester* umtrunk* abschiedsfeier* polterabend*',
  photographer:
    'fotograf* fotoshooting* shooting* fotostudio* fotos foto bewerbungsfoto* fotoalbum* fotoalben fotobuch* fotobücher familienfoto* bilder abzüge porträt* portrait* fotosession* hochzeitsfoto* klassenfoto* schulfoto*',
  caterer:
    'partyservice* buffet* büfett* fingerfood* häppchen* torte torten kuchen getränke getränkelieferant* menü konditor* getränkemarkt* canapés festessen* spanferkel* grillbuffet* schnittchen* catering* caterer*',
  petFood:
    'tierfutter* hundefutter* katzenfutter* futter trockenfutter* nassfutter* fressnapf zooplus futterhaus katzenstreu* leckerli* futterlieferung* tierbedarf* zoohandlung* heu futterabo* kleintierfutter* pferdefutter* barf barfen',
  petInsurance:
    'tierversicherung* hundehaftpflicht* hundeversicherung* katzenversicherung* tierhalter* hundekranken* katzenkranken* pferdehaftpflicht* agila hundehalterhaftpflicht* tierschutzversicherung pferdeversicherung* petolo figo tierkranken* lassie tiere',
  catFlap:
    'katze* kater kätzchen* kitten kastrier* kastration* sterilisier* chippen gechippt mikrochip* chipnummer tasso* transponder* tierchip* flohmittel* stubentiger* freigänger*',
  petSitter:
    'tiersitter* hundesitter* katzensitter* gassi gassigeh* gassiservice hundebetreu* tierbetreu* tierpension* hundepension* katzenpension* hundetagesstätte* huta hundeausführ* hundehotel* tierhotel* dogwalk* katzenbetreu* hundekita* urlaubsbetreu*',
  membership:
    'mitglied* vereinsbeitrag* vereinsmitglied* beitragsrechnung* vereinsbeitritt* jahresbeitrag* aufnahmeantrag* verein vereine vereins beitragseinzug* fördermitglied* kassenwart* beitrittserklärung* beitragsordnung* schatzmeister* kassier kassierer*',
  generalMeeting:
    'mitgliederversammlung* jahreshauptversammlung* hauptversammlung* generalversammlung* vorstand* versammlung* kassenprüf* kassenbericht* vorsitz* schriftführ* kassenwart* tagesordnung* protokoll* vollversammlung* jhv delegierte* neuwahl*',
  volunteering:
    'ehrenamt* freiwillig* feuerwehr* helfer* schicht schichten schichtplan* dienstplan* dienstpläne thw tafel einsatzplan* bufdi bereitschaft* rettungsdienst* aktivenversammlung dlrg',
  raffle:
    'tombola* flohmarkt* flohmärkte basar* bazar* verlosung* trödel* gemeindefest* kinderbasar* schulfest* kuchenverkauf* kuchenspende* weihnachtsmarkt* kirchweih* stadtteilfest* dorffest* losverkauf* kuchenbasar* glücksrad*',
  newsletter:
    'newsletter* rundbrief* mailing* mailchimp rundmail* infobrief* kampagne* mailkampagne* cleverreach brevo rundschreiben* infomail* verteiler verteilerliste* vereinsblatt gemeindebrief* aussendung* redaktionsschluss* serienmail* mailverteiler*',
  website:
    'website* webseite* homepage* internetseite* internetauftritt* webauftritt* wordpress* relaunch* webdesign* onlineauftritt* landingpage* webentwick* cms startseite* typo3 livegang golive seo onlineshop*',
  logo: 'gestaltung* grafik* etikett* verpackung* entwurf* entwürfe design designs mockup* designer* markenauftritt* erscheinungsbild* layout* illustrat* schriftzug* reinzeichn* logo logos logoentwurf* logodesign*',
  article:
    'artikel aufsatz* aufsätze manuskript* kolumne* fahnen fahnenkorrektur* korrekturfahne* redaktion* beitragseinreich* fachartikel* zeitschriftenartikel* fachbeitrag* rezension* kapitel abstract abstracts lektorat* verlag verlags',
  podcast:
    'podcast* interview* aufzeichnung* tonaufnahme* videodreh* video videos mikrofon* mikrophon* drehtermin* tonstudio* youtube* filmaufnahme* hörfunk* dreharbeiten schnittfassung* rohschnitt* aufnahmetermin* videoaufnahme*',
  talk: 'vortrag* vorträge impulsvortrag* referent* redner* rede reden keynote* fachvortrag* gastvortrag* festrede* podium* moderation* moderator* impulsreferat* referat* vorlesung* speaker*',
  stand:
    'messestand* messestände messe marktstand* marktstände standgebühr* standplatz* standplätze aussteller* infostand* verkaufsstand* weihnachtsmarkt* standmiete* messebau* wochenmarkt* standfläche* marktbeschick* ausstellung* verbrauchermesse* standbetreu*',
  shop: 'warenbestand* wareneinkauf* wareneingang* lieferant* großhandel* großhändler* kasse kassen kassensystem* registrierkasse* ladenbau* ladeneinricht* ladenlokal* sortiment* inventur* lagerbestand* nachbestell* einzelhandel* ladenkasse* ladenbesitz*',
  insuranceWork:
    'betriebsrente* berufsgenossenschaft* unfallversicherung* bav arbeitsunfall* arbeitsunfälle bghw wegeunfall* arbeitsschutz* direktversicherung* pensionskasse* durchgangsarzt* unfallkasse* unfallanzeige* vbg lohnnachweis* entgeltumwandlung* pensionsfonds bgw',
  reference:
    'arbeitszeugnis* empfehlungsschreiben* referenz* zwischenzeugnis* dienstzeugnis* empfehlung empfehlungen leistungsbeurteil* praktikumszeugnis* beurteilung* zeugnisentwurf* arbeitgeberzeugnis* fürsprache',
  jobApplication:
    'bewerbung* bewerber* bewerben bewirbt beworben vorstellungsgespräch* lebenslauf* lebensläufe anschreiben stellenanzeige* stellenausschreib* stellenangebot* jobangebot* recruit* personalabteilung* personalvermittl* jobinterview* assessment* arbeitsstelle* karriere',
  employment:
    'arbeitsvertrag* arbeitsverträge anstellung* probezeit* kündigung* urlaubsantrag* urlaubsanträge resturlaub* arbeitgeber* arbeitnehmer* personalabteilung* aufhebungsvertrag* dienstvertrag* beschäftigungsverhältnis* befristung* abfindung* betriebsrat* urlaubstage* arbeitsverhältnis* elternzeit*',
  visitors:
    'besucher* zutritt* zugangskarte* hausausweis* pforte* pförtner* werksausweis* betriebsausweis* chipkarte* schlüsselkarte* dienstausweis* gästeparkplatz* besuchsanmeld* mitarbeiterausweis* namensschild* werkschutz*',
  server:
    'server* backup* datensicherung* sicherungskopie* zertifikat* störung wartungsfenster* sicherheitsupdate* patch systemausfall* ssl rechenzentrum* datenbank* firewall* administrator* downtime* nas',
  projectOffer:
    'leistungsbeschreib* meilenstein* auftragsbestätig* pflichtenheft* lastenheft* ausschreib* projektangebot* rahmenvertrag* abnahme leistungsumfang* projektplan* teilprojekt* bestellschein* leistungsverzeichnis* projektauftrag* bieter vergabe*',
  materials:
    'muster laborbedarf* chemikalie* reagenz* laborbestell* labormaterial* musterstück* probenentnahme* verbrauchsmaterial* bauholz* rohstoff* baustoff* pipette* antikörper* lösungsmittel* warenmuster* merck warenprobe* material materialien',
  audit:
    'prüfbericht* betriebsprüf* hygiene* lebensmittelkontroll* gesundheitsamt* veterinäramt* zertifizier* begehung* gewerbeaufsicht* betriebsbegehung* rezertifizier* haccp lebensmittelüberwach* wirtschaftsprüf* audit audits auditoren auditorin auditbericht* auditierung*',
  trademark:
    'marke marken markenanmeld* markenrecht* patent* dpma euipo urheber* bildrecht* nutzungsrecht* lizenz* gebrauchsmuster* markenschutz* copyright* gema bildlizenz* vgwort warenzeichen* schutzrecht*',
  officeSpace:
    'büro büroraum* bürofläche* coworking* schreibtischplatz* bürogemeinschaft* büromiete* gewerberaum* gewerbemiet* bürovermiet* homeoffice* atelier* wework regus gewerbefläche* bürobedarf* geschäftsräume*',
  furnitureDelivery:
    'möbel* ikea sofa* aufbau aufbauen aufbauservice* montage* aufbauanleit* polstermöbel* segmüller höffner liefertermin* spedition* esstisch* stühle einrichtungshaus* sessel wohnwand*',
  wardrobe:
    'kleiderschrank* einbauschrank* schrank schränke schreiner* tischler* schiebetür* pax garderobe* schranktür* schrankwand* maßschrank* maßmöbel* wandschrank* ankleidezimmer* schranksystem*',
  mattress:
    'matratze* lattenrost* bett betten bettgestell* boxspring* topper schlafzimmer* bettwaren* bettenhaus* bettdecke* kopfkissen* federkern* kaltschaum* schlafsystem* härtegrad* bettrahmen* bettkasten*',
  vacuum:
    'staubsauger* saugroboter* saugwischer* dyson miele roomba kleingerät* toaster* wasserkocher* mixer küchenmaschine* thermomix* bügeleisen* roboter* mähroboter* vorwerk kobold staubbeutel* akkusauger* mikrowelle*',
  fridge:
    'kühlschrank* gefrierschrank* gefriertruhe* tiefkühl* kühlgerät* kühltruhe* gefrierfach* gefrierkombi* kühlkombi* liebherr eisfach kühlbox* kompressor* kältegerät* kühlgefrier* abtauen',
  camera:
    'fotokamera* objektiv* drohne* spiegelreflex* systemkamera* nikon canon leica gopro dji stativ* speicherkarte* fotoapparat* filmkamera* calumet sensorreinigung* fotoausrüst* fujifilm kamera kameras',
  headphones:
    'kopfhörer* lautsprecher* ohrhörer* headset* airpods ladegerät* ladekabel* kabel netzteil* usb bose sonos soundbar* bluetooth* teufel sennheiser powerbank* adapter* steckernetzteil* stereoanlage*',
  watch:
    'uhren uhrmacher* ring ringe ehering* trauring* schmuck* juwelier* kette kettchen halskette* goldschmied* gravur* ohrring* armband* armbänder brosche* uhrenbatterie* verlobungsring* gravieren',
  shoes:
    'schuh* stiefel* gummistiefel sandale* schuster* besohl* absätze sohle sohlen turnschuh* sneaker* wanderschuh* winterschuh* fußbett* schnürsenkel deichmann halbschuh* hausschuh* pantoffel* birkenstock*',
  coat: 'mantel jacke jacken winterjacke* regenjacke* anzug anzüge kleid kleider brautkleid* chemische textilreinig* textilpflege* änderungsschneider* schneider* reißverschluss* hose hosen blazer*',
  sportsGear:
    'zelt zelte neopren* schlafsack* rucksack* ski skier skistiefel* sportausrüst* sportgerät* outdoor* decathlon globetrotter isomatte* wanderstöck* trekking* sportgeschäft* sportartikel*',
  mealKit:
    'kochbox* hellofresh gemüsekiste* biokiste* gemüseabo* obstkiste* ökokiste* rezeptbox* milchmann milchlieferung* solawi marleyspoon biohof* hofladen abokiste* frischebox* etepetete ernteanteil* kistenabo* gemüse',
  wine: 'wein weine weingut* weingüter weinprobe* winzer* weinhandlung* weinhändler* weinlieferung* bier biere brauerei* weinkeller* vinothek* verkostung* sekt rotwein* weißwein* riesling* getränkehändler*',
  secondHand:
    'kleinanzeige* ebay gebraucht* secondhand* vinted käufer käuferin verkäufer* inserat* trödel* anzeige flohmarkt* momox rebuy ankauf* abholer selbstabhol* auktion* willhaben verkaufen',
  returnParcel:
    'retoure* rücksendung* rücksende* zurückgeschickt zurückschicken zurücksenden zurückgesendet retournier* rückgabe rückschein* umtausch* rückläufer* widerruf',
  spareParts:
    'ersatzteil* druckerpatrone* patrone* toner tinte* filter filterkartusche* akku akkus batterie batterien ersatzakku* kartusche* zubehör* ersatzfilter* dichtung* staubsaugerbeutel* wasserfilter* brita ersatzpatrone*',
  ticket:
    'ticket* eintrittskarte* karten konzertkarte* theaterkarte* dauerkarte* saisonkarte* vorverkauf* abendkasse* sitzplatz* eventim reservix einlass eintritt kinokarte* spielkarten kartenvorverkauf* opernkarte* saalplan* platzkarte*',
  cinema:
    'kino* film filme filmabend* filmfest* filmvorführ* cinemaxx leinwand cineplex multiplex premiere* uci filmtheater* lichtspiel* freiluftkino* filmvorstellung* filmnacht* berlinale*',
  audiobook:
    'hörbuch* hörbücher* audible ebook* kindle tolino* ereader* hörspiel* onleihe* kobo nextory bookbeat epub lesegerät* audiobook* bookbeats vorlesen',
  cloud:
    'cloud* icloud dropbox* onedrive onlinespeicher* googleone speicherplatz* backup* nextcloud* fotospeicher* gigabyte synchronisier* magentacloud terabyte datenspeicher* fotosammlung* speicher hidrive datensicher*',
  vpn: 'vpn passwort* passwörter kennwort* kennwörter virenschutz* virenscanner* antivirus* nordvpn bitwarden kaspersky avira norton firewall* sicherheitssoftware* internetsicherheit* schadsoftware* authenticator* virus lastpass',
  dating:
    'tinder parship elitepartner duolingo babbel partnerbörse* singlebörse* appabo* abonnement* sprachlern* gamepass playstation xbox probeabo* lernapp* abo freeletics spieleabo* partnervermittl* bumble',
};
