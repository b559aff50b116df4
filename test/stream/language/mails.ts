/** Short mails as shops, craftsmen and utilities send them, each with the ISO code of its language. */
export const MAILS: readonly (readonly [string, string])[] = [
  [
    'en',
    'Hi Maria, thanks for your order. Your parcel has left our warehouse and should be with you on Friday. You can follow it with the link in your account. Kind regards, the Larkspur team',
  ],
  [
    'en',
    'We have received your payment of £84.20 for the October bill. There is nothing else you need to do. If you have any questions please call us on the usual number.',
  ],
  [
    'en',
    "Just a quick note to let you know the plumber had to move his visit. He'll come by on Thursday the 3rd instead, some time after lunch. Sorry for the hassle!",
  ],
  [
    'de',
    'Guten Tag Frau Keller, Ihre Bestellung hat heute unser Lager verlassen und trifft voraussichtlich am Freitag bei Ihnen ein. Den Stand der Lieferung sehen Sie in Ihrem Konto. Freundliche Grüße',
  ],
  [
    'de',
    'Hallo, der Termin am Dienstag klappt leider nicht, der Kollege ist krank. Könnten wir das auf den 3.12. um 14 Uhr legen? Gib mir bitte kurz Bescheid. Gruß, Jens',
  ],
  [
    'de',
    'Wir haben Ihre Zahlung über 84,20 EUR erhalten und die Rechnung ist damit ausgeglichen. Vielen Dank für die pünktliche Überweisung.',
  ],
  [
    'fr',
    "Bonjour Madame, votre commande a quitté notre entrepôt aujourd'hui et devrait arriver chez vous vendredi. Vous pouvez suivre le colis depuis votre espace client. Bien cordialement, le service client",
  ],
  [
    'fr',
    'Salut, désolé mais le plombier ne peut pas venir mardi. Il passera plutôt le jeudi 3 décembre vers 14h. Dis-moi si ça te va. À bientôt',
  ],
  [
    'fr',
    "Nous avons bien reçu votre règlement de 84,20 € pour la facture d'octobre. Aucune autre démarche n'est nécessaire de votre part.",
  ],
  [
    'es',
    'Hola María, tu pedido ha salido hoy de nuestro almacén y llegará a tu casa el viernes. Puedes seguir el envío desde tu cuenta. Un saludo, el equipo de atención al cliente',
  ],
  [
    'es',
    'Buenas, lo siento pero el fontanero no puede venir el martes. Vendrá el jueves 3 de diciembre sobre las dos. Avísame si te viene bien. Gracias',
  ],
  [
    'es',
    'Hemos recibido su pago de 84,20 € correspondiente a la factura de octubre. No tiene que hacer nada más por su parte.',
  ],
  [
    'it',
    'Gentile cliente, il suo ordine ha lasciato oggi il nostro magazzino e arriverà a casa sua venerdì. Può seguire la spedizione dal suo account. Cordiali saluti, il servizio clienti',
  ],
  [
    'it',
    "Ciao, mi dispiace ma l'idraulico non può venire martedì. Passerà invece giovedì 3 dicembre verso le due. Fammi sapere se va bene. A presto",
  ],
  [
    'it',
    'Abbiamo ricevuto il pagamento di 84,20 € per la fattura di ottobre. Non deve fare altro. Grazie per la puntualità.',
  ],
  [
    'nl',
    'Beste klant, je bestelling heeft vandaag ons magazijn verlaten en wordt vrijdag bij je bezorgd. Je kunt het pakket volgen via je account. Met vriendelijke groet, de klantenservice',
  ],
  [
    'nl',
    'Hoi, sorry maar de loodgieter kan dinsdag niet komen. Hij komt nu donderdag 3 december rond twee uur langs. Laat even weten of dat lukt. Groetjes',
  ],
  ['nl', 'Wij hebben uw betaling van € 84,20 voor de factuur van oktober ontvangen. U hoeft verder niets te doen.'],
  [
    'pl',
    'Dzień dobry, Twoje zamówienie opuściło dziś nasz magazyn i dotrze do Ciebie w piątek. Przesyłkę możesz śledzić na swoim koncie. Pozdrawiamy, zespół obsługi klienta',
  ],
  [
    'pl',
    'Cześć, niestety hydraulik nie może przyjść we wtorek. Będzie w czwartek 3 grudnia po południu. Daj znać, czy pasuje',
  ],
  [
    'pt',
    'Olá Maria, a sua encomenda saiu hoje do nosso armazém e deverá chegar na sexta-feira. Pode acompanhar o envio na sua conta. Com os melhores cumprimentos, apoio ao cliente',
  ],
  [
    'pt',
    'Boa tarde, recebemos o seu pagamento de 84,20 € relativo à fatura de outubro. Não precisa de fazer mais nada. Obrigado pela sua preferência',
  ],
  [
    'pt',
    'Oi, desculpa mas o encanador não pode vir na terça. Ele vai passar na quinta, dia 3 de dezembro, depois do almoço. Me avisa se está tudo bem',
  ],
  [
    'sv',
    'Hej Maria, din beställning har lämnat vårt lager i dag och beräknas komma fram på fredag. Du kan följa paketet på ditt konto. Vänliga hälsningar, kundtjänst',
  ],
  [
    'da',
    'Hej Maria, din ordre har forladt vores lager i dag og forventes leveret på fredag. Du kan følge pakken på din konto. Venlig hilsen kundeservice',
  ],
  [
    'nb',
    'Hei Maria, bestillingen din har forlatt lageret vårt i dag og ventes levert på fredag. Du kan følge pakken på kontoen din. Vennlig hilsen kundeservice',
  ],
  [
    'cs',
    'Dobrý den, vaše objednávka dnes opustila náš sklad a měla by dorazit v pátek. Zásilku můžete sledovat ve svém účtu. S pozdravem zákaznický servis',
  ],
  [
    'ro',
    'Bună ziua, comanda dumneavoastră a plecat astăzi din depozitul nostru și va ajunge vineri. Puteți urmări coletul din contul dumneavoastră. Cu stimă',
  ],
  [
    'tr',
    'Merhaba, siparişiniz bugün depomuzdan çıktı ve cuma günü size ulaşacak. Kargonuzu hesabınızdan takip edebilirsiniz. Saygılarımızla müşteri hizmetleri',
  ],
  [
    'hu',
    'Kedves Vásárlónk! Rendelése ma elhagyta raktárunkat, és várhatóan pénteken érkezik meg. A csomagot a fiókjában követheti. Üdvözlettel, ügyfélszolgálat',
  ],
  [
    'fi',
    'Hei Maria, tilauksesi on tänään lähtenyt varastostamme ja saapuu perille perjantaina. Voit seurata lähetystä tililläsi. Ystävällisin terveisin asiakaspalvelu',
  ],
  [
    'ca',
    "Hola Maria, la teva comanda ha sortit avui del nostre magatzem i arribarà a casa teva divendres. Pots seguir l'enviament des del teu compte. Salutacions, l'equip d'atenció al client",
  ],
  [
    'ru',
    'Здравствуйте, ваш заказ сегодня покинул наш склад и прибудет в пятницу. Вы можете отследить посылку в личном кабинете.',
  ],
  ['ja', 'ご注文の商品を本日発送いたしました。金曜日にお届けの予定です。ご利用ありがとうございます。'],
];
