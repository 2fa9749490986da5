/** The package brings its types where TypeScript does not look for them. */
declare module "dom-accessibility-api" {
  export function computeAccessibleName(element: Element): string;
}
