declare module "*.tsv" {
  const table: string;
  // An imported text file has only a default export.
  export default table;
}
