const officeDocument = "application/vnd.openxmlformats-officedocument";
const openDocument = "application/vnd.oasis.opendocument";

export const wordType = `${officeDocument}.wordprocessingml.document` as const;
export const excelType = `${officeDocument}.spreadsheetml.sheet` as const;
export const powerPointType = `${officeDocument}.presentationml.presentation` as const;
export const openTextType = `${openDocument}.text` as const;
export const openSheetType = `${openDocument}.spreadsheet` as const;
export const openSlidesType = `${openDocument}.presentation` as const;

/** They are read in a process of their own, which alone loads their parsers. */
const documentTypes = [
  "application/pdf",
  wordType,
  excelType,
  powerPointType,
  openTextType,
  openSheetType,
  openSlidesType,
  "message/rfc822",
  "text/html",
] as const;

export type DocumentType = (typeof documentTypes)[number];

export function isDocument(mediaType: string): mediaType is DocumentType {
  return documentTypes.some((each) => each === mediaType);
}
