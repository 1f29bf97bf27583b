declare module "*.tsv" {
  const table: string;
  // The one default export that an imported text file has.
  export default table;
}
