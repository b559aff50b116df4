import { describe, expect, test } from 'vitest';
import { readFindings } from '../../src/reading/read-event.ts';
import { parseForms } from '../../src/streams/mail-forms.ts';
import { parseDocument } from '../../src/streams/mail-html.ts';
import { changes, eventOf, proposed, type Sample, tasks } from './read-forms.ts';

type Open = readonly (string | readonly [string, string])[];
type Case = readonly [name: string, sample: Sample, tasks: Open, expected: readonly string[]];

const formsOf = (html: string) => parseForms(html, parseDocument(html));
const data = (thing: object) =>
  `<script type="application/ld+json">${JSON.stringify({ '@context': 'http://schema.org', ...thing })}</script>`;
const mail = (subject: string, html: string, ...things: object[]): Sample => ({
  subject,
  html: `<html><head>${things.map(data).join('')}</head><body>${html}</body></html>`,
});

const ORDER = {
  '@type': 'Order',
  orderNumber: 'KB-20417',
  merchant: { '@type': 'Organization', name: 'Larch & Co' },
  acceptedOffer: { '@type': 'Offer', itemOffered: { '@type': 'Product', name: 'Standing desk' } },
};
const INVOICE = {
  '@type': 'Invoice',
  confirmationNumber: 'TRN-88123',
  provider: { '@type': 'Organization', name: 'Tern Water' },
  totalPaymentDue: { '@type': 'PriceSpecification', price: 48.2, priceCurrency: 'GBP' },
};
const PARCEL = {
  '@type': 'ParcelDelivery',
  trackingNumber: '3SABCD00921',
  carrier: { '@type': 'Organization', name: 'Wren Parcels' },
  itemShipped: { '@type': 'Product', name: 'Walnut bookshelf' },
};
const DINNER = {
  '@type': 'FoodEstablishmentReservation',
  reservationNumber: 'OT-5512',
  reservationFor: { '@type': 'FoodEstablishment', name: 'The Copper Kettle' },
  startTime: '2026-12-04T19:30:00+00:00',
};
const FLIGHT = {
  '@type': 'FlightReservation',
  reservationNumber: 'RXJ34P',
  reservationFor: { '@type': 'Flight', flightNumber: '110', airline: { '@type': 'Airline', name: 'Heron Air' } },
};
const TALK = {
  '@type': 'Event',
  name: 'Winter lecture',
  eventStatus: 'https://schema.org/EventRescheduled',
  startDate: '2026-12-10T18:00:00+01:00',
  previousStartDate: '2026-11-26T18:00:00+01:00',
  location: { '@type': 'Place', name: 'Quay Hall' },
};

const SAMPLES: readonly Case[] = [
  [
    'an order that was delivered, by its number',
    mail('Your order KB-20417', '<p>Good news about order KB-20417.</p>', {
      ...ORDER,
      orderStatus: 'http://schema.org/OrderDelivered',
    }),
    ['Standing desk KB-20417'],
    ['Standing desk KB-20417: done'],
  ],
  [
    'an order that was delivered, by what it is',
    mail('Thank you', '<p>Enjoy your new standing desk!</p>', { ...ORDER, orderStatus: 'OrderDelivered' }),
    ['Standing desk'],
    ['Standing desk: done'],
  ],
  [
    'an order that was cancelled',
    mail('About your order', '<p>Order KB-20417: we are sorry.</p>', {
      ...ORDER,
      orderStatus: 'https://schema.org/OrderCancelled',
    }),
    ['Standing desk KB-20417'],
    ['Standing desk KB-20417: archived'],
  ],
  [
    'an invoice that was paid',
    mail('Receipt', '<p>Receipt for TRN-88123, Tern Water</p>', {
      ...INVOICE,
      paymentStatus: 'http://schema.org/PaymentComplete',
    }),
    ['Pay Tern Water TRN-88123'],
    ['Pay Tern Water TRN-88123: done'],
  ],
  [
    'until when an invoice is to be paid',
    mail('Your bill', '<p>Your bill TRN-88123 from Tern Water is ready.</p>', {
      ...INVOICE,
      paymentStatus: 'PaymentDue',
      paymentDueDate: '2026-12-15',
    }),
    ['Pay Tern Water TRN-88123'],
    ['Pay Tern Water TRN-88123: 2026-12-15'],
  ],
  [
    'a parcel that has arrived',
    mail('Parcel 3SABCD00921', '<p>Walnut bookshelf: see where we left it.</p>', {
      ...PARCEL,
      deliveryStatus: 'Delivered',
    }),
    ['Walnut bookshelf'],
    ['Walnut bookshelf: done'],
  ],
  [
    'a table that was booked',
    mail('See you soon', '<p>Dinner at The Copper Kettle, table for four.</p>', {
      ...DINNER,
      reservationStatus: 'http://schema.org/Confirmed',
    }),
    ['Book The Copper Kettle'],
    ['Book The Copper Kettle: done'],
  ],
  [
    'a flight that was cancelled',
    mail('Heron Air RXJ34P', '<p>Heron Air booking RXJ34P, Lisbon</p>', {
      ...FLIGHT,
      reservationStatus: 'http://schema.org/ReservationCancelled',
    }),
    ['Lisbon flight RXJ34P'],
    ['Lisbon flight RXJ34P: archived'],
  ],
  [
    'a room, in a graph of several things',
    mail('Your stay', '<p>Hotel Marram, three nights</p>', {
      '@graph': [
        { '@type': 'Organization', name: 'Sample bookings' },
        {
          '@type': 'LodgingReservation',
          reservationId: 'LM-90210',
          reservationStatus: 'ReservationConfirmed',
          reservationFor: { '@type': 'LodgingBusiness', name: 'Hotel Marram' },
        },
      ],
    }),
    ['Book Hotel Marram'],
    ['Book Hotel Marram: done'],
  ],
  [
    'a lecture that was moved',
    mail('Winter lecture', '<p>The winter lecture has a new evening. See you at Quay Hall.</p>', TALK),
    [['Winter lecture', '2026-11-26']],
    ['Winter lecture: 2026-12-10'],
  ],
  [
    'microdata in the text',
    {
      subject: 'Your order',
      html: '<div itemscope itemtype="http://schema.org/Order"><link itemprop="orderStatus" href="http://schema.org/OrderDelivered"/><p>Order <span itemprop="orderNumber">KB-20417</span></p><div itemprop="acceptedOffer" itemscope itemtype="http://schema.org/Offer"><div itemprop="itemOffered" itemscope itemtype="http://schema.org/Product"><b itemprop="name">Standing desk</b></div></div></div>',
    },
    ['Standing desk'],
    ['Standing desk: done'],
  ],
  [
    'a train (de)',
    mail('Ihre Fahrkarte', '<p>Auftrag ZUG-7741, Fahrt nach Rostock</p>', {
      '@type': 'TrainReservation',
      reservationNumber: 'ZUG-7741',
      reservationStatus: 'ReservationConfirmed',
    }),
    ['Zug nach Rostock buchen'],
    ['Zug nach Rostock buchen: done'],
  ],
  [
    'a list of things',
    {
      subject: 'Order KB-20417',
      html: `<script type="application/ld+json">[${JSON.stringify({ '@type': 'EmailMessage' })},${JSON.stringify({ ...ORDER, orderStatus: 'OrderDelivered' })}]</script><p>Standing desk, order KB-20417</p>`,
    },
    ['Standing desk'],
    ['Standing desk: done'],
  ],
];

const NEAR_MISSES: readonly Case[] = [
  [
    'an order in the making',
    mail('Order KB-20417', '<p>Standing desk KB-20417</p>', { ...ORDER, orderStatus: 'OrderProcessing' }),
    ['Standing desk KB-20417'],
    [],
  ],
  [
    'a payment that is due, and no day',
    mail('Bill TRN-88123', '<p>Bill TRN-88123</p>', { ...INVOICE, paymentStatus: 'PaymentDue' }),
    ['Pay TRN-88123'],
    [],
  ],
  [
    'a payment that is past due',
    mail('Bill TRN-88123', '<p>Bill TRN-88123</p>', {
      ...INVOICE,
      paymentStatus: 'PaymentPastDue',
      paymentDueDate: '2026-11-02',
    }),
    ['Pay TRN-88123'],
    [],
  ],
  [
    'a parcel on its way',
    mail('Parcel', '<p>Walnut bookshelf</p>', {
      ...PARCEL,
      deliveryStatus: 'InTransit',
      expectedArrivalUntil: '2026-11-24T18:00:00Z',
    }),
    ['Walnut bookshelf'],
    [],
  ],
  [
    'a dinner, and the task is another',
    mail('See you soon', '<p>Dinner at The Copper Kettle</p>', { ...DINNER, reservationStatus: 'Confirmed' }),
    ['Book the dentist'],
    [],
  ],
  [
    'hidden data says delivered, the text that it is late',
    mail('Order KB-20417', '<p>Your standing desk KB-20417 is delayed.</p>', {
      ...ORDER,
      orderStatus: 'OrderDelivered',
    }),
    ['Standing desk KB-20417'],
    [],
  ],
  [
    'the same in German',
    mail('Bestellung KB-20417', '<p>Ihre Bestellung KB-20417 Standing desk verspätet sich und ist noch nicht da.</p>', {
      ...ORDER,
      orderStatus: 'OrderDelivered',
    }),
    ['Standing desk KB-20417'],
    [],
  ],
  [
    'hidden data of something that the text does not name',
    mail('Hello', '<p>Our winter sale has begun.</p>', { ...ORDER, orderStatus: 'OrderDelivered' }),
    ['Standing desk KB-20417'],
    [],
  ],
  [
    'a number that only begins like it',
    mail('Order KB-204170', '<p>Order KB-204170</p>', {
      ...ORDER,
      acceptedOffer: undefined,
      orderStatus: 'OrderDelivered',
    }),
    ['Standing desk KB-20417'],
    [],
  ],
  [
    'a booking that still waits',
    mail('The Copper Kettle', '<p>The Copper Kettle has your request.</p>', {
      ...DINNER,
      reservationStatus: 'ReservationPending',
    }),
    ['Book The Copper Kettle'],
    [],
  ],
  [
    'hidden data says cancelled, the text that it stands',
    mail('The Copper Kettle', '<p>Your table at The Copper Kettle is not cancelled.</p>', {
      ...DINNER,
      reservationStatus: 'ReservationCancelled',
    }),
    ['Dinner at The Copper Kettle'],
    [],
  ],
  [
    'the day that the task has',
    mail('Winter lecture', '<p>The winter lecture has a new evening.</p>', TALK),
    [['Winter lecture', '2026-12-10']],
    [],
  ],
  [
    'a day that is none',
    mail('Bill TRN-88123', '<p>Bill TRN-88123</p>', {
      ...INVOICE,
      paymentStatus: 'PaymentDue',
      paymentDueDate: '2026-02-31',
    }),
    ['Pay TRN-88123'],
    [],
  ],
  [
    'an event without a change',
    mail('Winter lecture', '<p>Winter lecture</p>', { ...TALK, eventStatus: 'EventScheduled' }),
    ['Winter lecture'],
    [],
  ],
];

describe('what a mail tells programs', () => {
  test.each(SAMPLES)('%s', async (_, sample, open, expected) => {
    expect(await changes(sample, tasks(...open))).toEqual(expected);
  });

  test.each(NEAR_MISSES)('means no more than the text: %s', async (_, sample, open, expected) => {
    expect(await changes(sample, tasks(...open))).toEqual(expected);
  });

  test('is only ever proposed, quotes the text, and says where it was read', async () => {
    for (const [, sample, open] of SAMPLES) {
      const { event } = await eventOf(sample);
      for (const { confidence, quote, reason } of await proposed(sample, tasks(...open))) {
        expect(confidence).toBeLessThanOrEqual(0.84);
        expect(`${event.subject}\n${event.text}`).toContain(quote);
        expect(reason).toMatch(/^Its hidden data say “/);
      }
    }
  });

  test('lowers a sentence that says the opposite', async () => {
    const says = '<p>Standing desk KB-20417 has been delivered.</p>';
    const of = async (orderStatus: string) => {
      const sample = mail('Order KB-20417', says, { ...ORDER, orderStatus });
      return (await proposed(sample, tasks('Standing desk')))[0]?.confidence ?? 0;
    };
    expect(await of('OrderDelivered')).toBeGreaterThan(0.9);
    expect(await of('OrderInTransit')).toBeLessThan(0.6);
  });

  test('asks to confirm where the text shows the button', async () => {
    const action = {
      '@type': 'EmailMessage',
      potentialAction: { '@type': 'ConfirmAction', name: 'Confirm your visit' },
    };
    const { event } = await eventOf(mail('Boiler service', '<p>Boiler service</p><a>Confirm your visit</a>', action));
    expect(event.forms?.things).toMatchObject([{ kind: 'confirmation', names: ['Confirm your visit'] }]);
    const asks = readFindings(event).findings.filter(({ effect }) => effect === 'action');
    expect(asks).toMatchObject([{ phraseId: 'form: request: confirm', quote: 'Confirm your visit' }]);
  });

  test('nothing is kept of a mail without any', async () => {
    expect((await eventOf({ html: '<p>Hello</p>' })).event.forms).toBe(undefined);
    expect(formsOf('<script type="application/ld+json">{"@type":"Product"}</script>')).toBe(null);
  });
});
