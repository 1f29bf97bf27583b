declare module "*.woff2" {
  const url: string;
  // oxlint-disable-next-line import/no-default-export -- how the bundler gives a file's address
  export default url;
}
