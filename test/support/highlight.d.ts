// Types of the highlighting library, as far as the playground's page uses it. The library's own types would bring a browser's into every test.
declare const highlight: {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};
export default highlight;
