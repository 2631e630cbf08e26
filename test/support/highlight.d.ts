// The part of the highlighting library that the playground's page uses. Its own types would bring a browser's into every test.
declare const highlight: {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};
export default highlight;
