/**
 * What stands before the colon in a labelled block, and what stands behind it, in one language: words in lower case, as they are
 * written, with ` | ` between them. A language is one file of this shape, and a line in `table.ts`.
 */
export interface LabelWords {
  /** When something takes place. */
  readonly when: string;
  /** Where it takes place, or what it is: a block with such a line is about an appointment. */
  readonly about: string;
  /** When it was to take place before. */
  readonly former: string;
  /** When it takes place now that it was moved. */
  readonly next: string;
  /** Until when it is to be paid or handed in. */
  readonly due: string;
  /** What is still to be paid. */
  readonly open: string;
  /** The number of an invoice, an order, a booking, a parcel. */
  readonly reference: string;
  /** How it stands, whatever it is. */
  readonly status: string;
  /** How a payment, a delivery or order, or a booking stands. */
  readonly statusOfPayment: string;
  readonly statusOfDelivery: string;
  readonly statusOfBooking: string;
  /** What such a line says. */
  readonly paid: string;
  readonly delivered: string;
  readonly booked: string;
  readonly cancelled: string;
  readonly signed: string;
  readonly approved: string;
  readonly completed: string;
  /** It has not happened yet, or has gone wrong. */
  readonly pending: string;
  /** What may stand between such a word and a day, or a comma. */
  readonly fillers: string;
  /** Words of a mail that speak against a thing being done, whatever else the mail holds. */
  readonly notDone: string;
  /** The same against its being called off. */
  readonly notCancelled: string;
}
