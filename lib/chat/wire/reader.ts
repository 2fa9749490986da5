/** The page's words are English; order, digits and clock are those of the reader's region. */
export interface ReaderForms {
  readonly group: string;
  readonly decimal: string;
  /** Digits of each group but the last, which has three. */
  readonly groupDigits: number;
  /** Shorter whole numbers have no groups. */
  readonly groupedFrom: number;
  readonly isDayFirst: boolean;
  readonly firstWeekday: number;
  readonly clock: {
    /** The words for both halves of a day; `null` counts 24 hours. */
    readonly halves: readonly [string, string] | null;
    readonly hourDigits: number;
    readonly separator: string;
  };
}

export interface Reader {
  readonly forms: ReaderForms;
  /** `undefined` means the zone of this machine. */
  readonly zone: string | undefined;
}

export const usForms: ReaderForms = {
  group: ",",
  decimal: ".",
  groupDigits: 3,
  groupedFrom: 4,
  isDayFirst: false,
  firstWeekday: 0,
  clock: { halves: ["AM", "PM"], hourDigits: 1, separator: ":" },
};

export const zoneCookie = "grove-zone";
