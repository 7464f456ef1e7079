"""An HTTP server that misbehaves as the first folder of the URL says, for
download.py: "/cut/name" is cut off, "/whole/name" is not. It keeps a log of the
requests with their Range and If-Range headers."""
import base64
import http.server
import threading
import time

CUT = 300_000


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        mode, _, name = self.path.lstrip("/").partition("/")
        server = self.server
        with server.lock:
            server.requests.append((mode, name, self.headers.get("Range"), self.headers.get("If-Range")))
            count = server.counts[mode] = server.counts.get(mode, 0) + 1
        try:
            getattr(self, "on_" + mode)(name, count)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def serve(self, data, etag='"1"', ranges=True, limit=None, drip=0, announce=None):
        """The whole or the range asked for; cut off after `limit` bytes."""
        start, asked = 0, self.headers.get("Range")
        if asked and ranges and self.headers.get("If-Range") in (None, etag):
            start = int(asked[len("bytes="):].split("-")[0])
            if start >= len(data):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(data)}")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(announce or len(data) - start))
        if etag:
            self.send_header("ETag", etag)
        self.end_headers()
        body = data[start:] if limit is None else data[start:start + limit]
        for at in range(0, len(body), 65536):
            self.wfile.write(body[at:at + 65536])
            if drip:
                self.wfile.flush()
                time.sleep(drip)
        if limit is not None and len(data) - start > limit:
            self.close_connection = True

    def answer(self, status, **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", "4")
        self.end_headers()
        self.wfile.write(b"oops")

    def data(self, name):
        return self.server.files[name]

    def on_whole(self, name, count):
        self.serve(self.data(name))

    def on_cut(self, name, count):
        self.serve(self.data(name), limit=CUT)

    def on_cutfirst(self, name, count):
        self.serve(self.data(name), limit=CUT if count == 1 else None)

    def on_unnamed(self, name, count):  # No ETag, no date: cannot be resumed safely.
        self.serve(self.data(name), etag=None, limit=CUT if count == 1 else None)

    def on_norange(self, name, count):
        self.serve(self.data(name), ranges=False, limit=CUT if count == 1 else None)

    def on_changed(self, name, count):
        if count == 1:
            self.serve(b"x" * len(self.data(name)), etag='"old"', limit=CUT)
        else:
            self.serve(self.data(name), etag='"new"')

    def on_joined(self, name, count):  # Changes, and does not say so.
        if count == 1:
            self.serve(b"x" * len(self.data(name)), limit=CUT)
        else:
            self.serve(self.data(name))

    def on_replaced(self, name, count):  # Changes, says so, but disregards If-Range.
        if count == 1:
            return self.serve(b"x" * len(self.data(name)), etag='"old"', limit=CUT)
        del self.headers["If-Range"]
        self.serve(self.data(name), etag='"new"')

    def chunks(self, data):
        """Does not say how many bytes come, and is cut off."""
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.close_connection = True

    def rest(self, name, start, end, total):
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{end - 1}/{total}")
        self.send_header("Content-Length", str(end - start))
        self.send_header("ETag", '"1"')
        self.end_headers()
        self.wfile.write(self.data(name)[start:end])

    def on_pieces(self, name, count):  # Less than the rest at a time.
        data = self.data(name)
        start = (count - 1) * CUT
        self.chunks(data[:CUT]) if count == 1 else self.rest(name, start, min(start + CUT, len(data)), len(data))

    def on_shrunk(self, name, count):  # A range behind the end that it claims.
        if count == 1:
            return self.chunks(self.data(name)[:CUT])
        self.rest(name, CUT, CUT + 2, 5) if count == 2 else self.serve(self.data(name))

    def on_huge(self, name, count):
        self.serve(self.data(name), announce=2**62)
        self.close_connection = True

    def on_wrongrange(self, name, count):
        if self.headers.get("Range") is None:
            return self.serve(self.data(name), limit=CUT if count == 1 else None)
        self.send_response(206)
        self.send_header("Content-Range", f"bytes 0-9/{len(self.data(name))}")
        self.send_header("Content-Length", "10")
        self.end_headers()
        self.wfile.write(b"0123456789")

    def on_short(self, name, count):
        self.serve(self.data(name)[:-1])

    def on_long(self, name, count):
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for piece in (self.data(name), b"more"):
            self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.wfile.write(b"0\r\n\r\n")

    def on_endless(self, name, count):  # No length: its end cannot be told.
        self.send_response(200)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(self.data(name)[:CUT])
        self.close_connection = True

    def on_garbage(self, name, count):
        self.serve(bytes(len(self.data(name))))

    def on_missing(self, name, count):
        self.answer(404)

    def on_flaky(self, name, count):
        self.answer(500 + count, Retry_After="0") if count <= 2 else self.serve(self.data(name))

    def on_broken(self, name, count):
        self.answer(500)

    def on_page(self, name, count):
        self.answer(200, Content_Type="text/html; charset=utf-8")

    def on_silent(self, name, count):
        self.serve(self.data(name), limit=CUT, drip=3 if count == 1 else 0)

    def on_mute(self, name, count):
        time.sleep(3)
        self.close_connection = True

    def on_drip(self, name, count):
        self.serve(self.data(name), drip=0.3 if count == 1 else 0)

    def on_private(self, name, count):
        known = self.headers.get("Authorization") == "Basic " + base64.b64encode(b"me:secret").decode()
        self.serve(self.data(name)) if known else self.answer(401, WWW_Authenticate='Basic realm="x"')

    def on_tofile(self, name, count):
        self.answer(302, Location="file:///etc/passwd")

    def on_tohere(self, name, count):
        self.answer(302, Location="/whole/" + name)

    def on_tosecure(self, name, count):
        self.answer(302, Location=self.server.secure + "toplain/" + name)

    def on_toplain(self, name, count):
        self.answer(302, Location=self.server.plain + "whole/" + name)

    def on_loop(self, name, count):
        self.answer(302, Location=self.path)


class QuietServer(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):  # Clients that hang up are part of it.
        pass


class Server:
    """Runs in threads of its own until `close`."""

    def __init__(self, files, tls=None):
        self.http = QuietServer(("127.0.0.1", 0), Handler)
        self.http.files, self.http.requests, self.http.counts = files, [], {}
        self.http.lock = threading.Lock()
        if tls:
            self.http.socket = tls.wrap_socket(self.http.socket, server_side=True)
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.http.server_address[1]}/"
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def taken(self):
        """The requests since the last call."""
        with self.http.lock:
            requests, self.http.requests, self.http.counts = self.http.requests, [], {}
        return requests

    def close(self):
        self.http.shutdown()
