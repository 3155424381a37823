import { useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { createHearthClient, HearthRefusal } from "./hearth-client.js";

const { VITE_HEARTH_URL: baseUrl, VITE_HEARTH_TOKEN: token } = import.meta.env;
const hearth = createHearthClient({ baseUrl, token });

function Articles() {
  const [articles, setArticles] = useState([]);
  const [problem, setProblem] = useState("");

  /** Shows why a call was refused. */
  const attempt = (call) =>
    call().catch((error) => {
      if (!(error instanceof HearthRefusal)) throw error;
      setProblem(`${error.status}: ${error.message}`);
    });

  useEffect(() => void attempt(async () => setArticles((await hearth.listArticles()).body.data)), []);

  const add = (form) =>
    attempt(async () => {
      const { body } = await hearth.createArticle({ body: { title: form.get("title") } });
      setArticles((known) => [...known, body.data]);
      setProblem("");
    });

  return (
    <main>
      <h1>Articles</h1>
      <form action={add}>
        <input name="title" aria-label="Title" />
        <button>Add</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
      <ul>
        {articles.map(({ id, title }) => (
          <li key={id}>{title}</li>
        ))}
      </ul>
    </main>
  );
}

createRoot(document.getElementById("root")).render(<Articles />);
