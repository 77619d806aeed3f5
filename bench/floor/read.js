// Reads the answer page: its terms and values, and how tall it is.
() => {
  const pairs = {};
  for (const dt of document.querySelectorAll('dl dt')) pairs[dt.textContent] = dt.nextElementSibling.textContent;
  return { pairs, height: document.documentElement.scrollHeight };
}
