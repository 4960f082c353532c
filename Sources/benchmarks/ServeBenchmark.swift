import Foundation

/// Serving tiles over HTTP on loopback, warm: eight connections of `wrk` ask for the tiles of level 7.
///
/// Beside nginx with its cache and with plain files, which run with the bench, and aiohttp over the same
/// MBTiles file.
struct ServeBenchmark: BenchmarkSuite {
  let name = "serve"

  /// A server: how its tiles are addressed, which process it is, and what starts it.
  private struct Server {
    var name: String
    /// With `{z}`, `{x}` and `{y}`; `-` for what the server prints as JSON.
    var address: String
    /// What prints the number of a process that runs already.
    var process = "echo 0"
    var command = ""
  }

  func run(_ bed: BenchmarkBed) async throws {
    let folder = bed.data("out/serve")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (file, text) in [("load.py", Self.load), ("aiohttp_tiles.py", Self.aiohttp)] {
      try Data(text.utf8).write(to: folder.appending(path: file))
    }
    for (figure, unit) in [("wall", "time"), ("cpu", "processor time of the server")] {
      await Contest(
        job: "A tile over HTTP, \(unit) for each request",
        contenders: Self.servers(bed).map { server in
          .command(server.name, Self.measured(server, in: folder, figure), /([\d.]+) us/)
        }
      ).run(on: bed)
    }
  }

  private static func servers(_ bed: BenchmarkBed) -> [Server] {
    let program = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      .deletingLastPathComponent().appending(path: "portolan").path(percentEncoded: false)
    let tiles = bed.data("pack/t.mbtiles").path(percentEncoded: false)
    let python = bed.folder.appending(path: "../venv/bin/python").path(percentEncoded: false)
    let master = bed.data("run/nginx.pid").path(percentEncoded: false)
    let worker = "ps -o pid=,args= --ppid $(cat '\(master)') | awk '/worker/ { print $1; exit }'"
    return [
      Server(
        name: "Portolan, tiles serve", address: "-",
        command: "'\(program)' --home home --json tiles serve '\(tiles)'"),
      Server(
        name: "aiohttp and sqlite3", address: "http://127.0.0.1:8095/{z}/{x}/{y}.png",
        command: "'\(python)' aiohttp_tiles.py '\(tiles)'"),
      Server(
        name: "nginx, proxy_cache",
        address: "http://127.0.0.1:8090/cached/tiles/{z}/{x}/{y}.png", process: worker),
      Server(
        name: "nginx, files", address: "http://127.0.0.1:8090/tiles/{z}/{x}/{y}.png",
        process: worker),
    ]
  }

  /// A line that puts a server under load and prints what a request took.
  private static func measured(_ server: Server, in folder: URL, _ figure: String) -> String {
    let command = server.command.replacing("'", with: #"'\''"#)
    return "cd '\(folder.path(percentEncoded: false))' && /usr/bin/python3 load.py \(figure) "
      + "'\(server.address)' \"$(\(server.process))\" '\(command)'"
  }

  /// Ends by itself whatever a server does: one that does not answer is named so, and ended.
  private static let load = #"""
    import json, os, re, signal, subprocess, sys, time, urllib.request

    figure, address, process, command = sys.argv[1:]
    # A request waits so long at most, and everything together so long.
    patience, whole = 2, 60

    class Silence(Exception):
        pass

    def fall_silent(*_):
        raise Silence

    signal.signal(signal.SIGALRM, fall_silent)
    signal.alarm(whole)
    server = None

    def wait(address):
        while True:
            if server and server.poll() is not None:
                sys.exit(f'ended with {server.returncode}')
            try:
                return urllib.request.urlopen(address, timeout=patience).read()
            except OSError:
                time.sleep(0.05)

    def used():
        fields = open(f'/proc/{process}/stat').read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def run(seconds):
        before = used()
        line = ['wrk', '-t1', '-c8', f'-d{seconds}s', f'--timeout={patience}s', '-s', 'load.lua', root]
        said = subprocess.run(
            line, capture_output=True, text=True, check=True, timeout=seconds + 10).stdout
        if 'Non-2xx' in said:
            sys.exit('some tiles are missing')
        count = int(re.search(r'(\d+) requests in', said).group(1))
        if not count or re.search(r'Socket errors: .*timeout [1-9]', said):
            raise Silence
        rate = float(re.search(r'Requests/sec:\s+([\d.]+)', said).group(1))
        return 1e6 / rate if figure == 'wall' else (used() - before) * 1e6 / count

    try:
        if command:
            server = subprocess.Popen(
                ['bash', '-c', 'exec ' + command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            process = server.pid
            if address == '-':
                address = json.loads(server.stdout.readline())['layers'][0]['xyz']
        address = address.replace('{z}', '7')
        root = re.match('https?://[^/]+', address).group()
        path = address[len(root):].replace('%', '%%').replace('{x}', '%d').replace('{y}', '%d')
        with open('load.lua', 'w') as script:
            script.write(
                "local i = 0 request = function() i = i + 7 return wrk.format('GET', string.format('"
                + path + "', i % 128, math.floor(i / 128) % 128)) end")
        wait(address.replace('{x}', '3').replace('{y}', '4'))
        run(1)
        print(f'{run(4):.2f} us')
    except (Silence, subprocess.TimeoutExpired):
        print('did not answer')
    except SystemExit as reason:
        print(reason)
    finally:
        signal.alarm(0)
        if server:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(10)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()

    """#

  private static let aiohttp = #"""
    import sqlite3, sys
    from aiohttp import web

    database = sqlite3.connect(f'file:{sys.argv[1]}?mode=ro', uri=True)
    query = 'SELECT tile_data FROM tiles WHERE zoom_level = ? AND tile_column = ? AND tile_row = ?'

    async def tile(request):
        level, column, row = (int(request.match_info[name]) for name in 'zxy')
        found = database.execute(query, (level, column, (1 << level) - 1 - row)).fetchone()
        if not found:
            return web.Response(status=404)
        return web.Response(body=found[0], content_type='image/png')

    app = web.Application()
    app.router.add_get('/{z}/{x}/{y}.png', tile)
    web.run_app(app, host='127.0.0.1', port=8095, print=None, access_log=None)

    """#
}
