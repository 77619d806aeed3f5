export default function Page() {
  return <p>The peer of the board in its benchmark.</p>;
}
