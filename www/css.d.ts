/** A style sheet is imported as its bundled, minified text (`build.mjs`). */
declare module "*.css" {
  const text: string;
  export default text;
}
