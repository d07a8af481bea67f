// Try every way to send something to an address; return the names of those that seemed to work.
async (address) => {
  const tried = {
    fetch: () => fetch(address),
    request: () => new Promise((done, failed) => {
      const request = new XMLHttpRequest();
      request.onload = done;
      request.onerror = failed;
      request.open("GET", address);
      request.send();
    }),
    image: () => new Promise((done, failed) => {
      Object.assign(new Image(), { onload: done, onerror: failed, src: address });
    }),
    socket: () => new Promise((done, failed) => {
      Object.assign(new WebSocket(address.replace("http", "ws")), { onopen: done, onerror: failed });
    }),
    events: () => new Promise((done, failed) => {
      Object.assign(new EventSource(address), { onopen: done, onerror: failed });
    }),
    beacon: () => {
      navigator.sendBeacon(address, "data"); // true also where it is blocked
      return new Promise((_done, failed) => setTimeout(failed, 200));
    },
    script: () => new Promise((done, failed) => {
      const script = { src: address, onload: done, onerror: failed };
      document.head.append(Object.assign(document.createElement("script"), script));
    }),
    style: () => new Promise((done, failed) => {
      const link = { rel: "stylesheet", href: address, onload: done, onerror: failed };
      document.head.append(Object.assign(document.createElement("link"), link));
    }),
    worker: () => new Promise((done, failed) => {
      const code = `fetch("${address}").then(() => postMessage(1), () => postMessage(0))`;
      const worker = new Worker(URL.createObjectURL(new Blob([code])));
      worker.onmessage = ({ data }) => data ? done() : failed();
    }),
    form: () => new Promise((_done, failed) => {
      const form = Object.assign(document.createElement("form"), { action: address, method: "post", target: "frame" });
      document.body.append(form);
      form.submit();
      setTimeout(failed, 200);
    }),
    frame: () => new Promise((_done, failed) => {
      document.body.append(Object.assign(document.createElement("iframe"), { src: address, name: "frame" }));
      setTimeout(failed, 200);
    }),
  };
  const went = [];
  for (const [name, attempt] of Object.entries(tried)) {
    try { await attempt(); went.push(name); } catch {}
  }
  return went;
}
