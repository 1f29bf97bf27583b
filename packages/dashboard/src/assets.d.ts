declare module "*.woff2" {
  const url: string;
  // oxlint-disable-next-line import/no-default-export -- how the bundler exports a file's URL
  export default url;
}
