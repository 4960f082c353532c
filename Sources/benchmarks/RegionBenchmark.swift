import Foundation

/// A region of tiles over HTTP onto the disk: the bench's pyramid from level 0, from nginx on loopback
/// and with a round trip of 40 ms.
///
/// Everyone runs as a process of its own; a result that is one file ends with its sync.
struct RegionBenchmark: BenchmarkSuite {
  let name = "region"

  /// A server of the bench, and what suits it.
  private struct Wire {
    var name: String
    var port: Int
    var level: Int
    var inFlight: [Int]
  }

  private static let wires = [
    Wire(name: "loopback", port: 8090, level: 7, inFlight: [8, 64]),
    Wire(name: "a round trip of 40 ms", port: 8091, level: 6, inFlight: [32, 128]),
  ]

  func run(_ bed: BenchmarkBed) async throws {
    let folder = bed.data("out/region")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for wire in Self.wires {
      let jobs = Self.jobs(wire, bed)
      for (figure, unit) in [("wall", "time"), ("cpu", "processor time")] {
        await Contest(
          job: "A region of tiles, levels 0 to \(wire.level), \(wire.name), \(unit) for each tile",
          contenders: jobs.map { name, line in
            .command(name, Self.measured(line, wire, in: folder, figure), /([\d.]+) us/)
          }
        ).run(on: bed)
      }
      print("\n| \(wire.name) | memory at most |\n|---|--:|")
      for (name, line) in jobs {
        let memory = Contender.command(
          name, Self.measured(line, wire, in: folder, "wall"), /([\d.]+) MB/)
        do {
          print("| \(name) | \(Int(try await memory.measure())) MB |")
        } catch {
          print("| \(name) | no figure: \(error) |")
        }
      }
    }
  }

  private static func jobs(_ wire: Wire, _ bed: BenchmarkBed) -> [(String, String)] {
    let program = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      .path(percentEncoded: false)
    let root = "http://127.0.0.1:\(wire.port)/tiles"
    let bench = bed.folder.path(percentEncoded: false)
    let ours =
      "'\(program)' '--region=\(root)/{z}/{x}/{y}.png' --to=region.sqlite --level=\(wire.level)"
    let adapting = [("Portolan, adapting", "\(ours) && sync region.sqlite")]
    let fixed = wire.inFlight.flatMap { count in
      [
        ("Portolan, \(count) in flight", "\(ours) --in-flight=\(count) && sync region.sqlite"),
        (
          "Portolan with export to .mbtiles, \(count) in flight",
          "\(ours) --in-flight=\(count) --export=region.mbtiles && sync region.mbtiles"
        ),
        (
          "python aiohttp+sqlite3, \(count)",
          "\(bench)/../venv/bin/python \(bench)/peers/aiohttp_mbtiles.py \(root) \(wire.level) "
            + "\(count) region.mbtiles && sync region.mbtiles"
        ),
        (
          "curl -Z --parallel-max \(count)",
          "\(Self.addresses(root, wire.level)) | curl -sZ --parallel-max \(count) --create-dirs "
            + "--config -"
        ),
      ]
    }
    let floor =
      "\(bench)/floor_tiles \(wire.port) \(wire.level) 8 region.mbtiles 1 sync"
    return adapting + fixed + [("C floor, 8 connections", floor)]
  }

  /// A line that prints what curl is to fetch.
  private static func addresses(_ root: String, _ level: Int) -> String {
    #"awk 'BEGIN { for (z = 0; z <= \#(level); z++) for (x = 0; x < 2 ^ z; x++) "#
      + #"for (y = 0; y < 2 ^ z; y++) printf "url=\"\#(root)/%d/%d/%d.png\"\n"#
      + #"output=\"f/%d/%d/%d.png\"\n", z, x, y, z, x, y }'"#
  }

  /// A line that runs a command in an empty folder and prints what a tile took.
  private static func measured(
    _ line: String, _ wire: Wire, in folder: URL, _ figure: String
  ) -> String {
    let count = (0...wire.level).reduce(0) { $0 + 1 << (2 * $1) }
    let script = """
      import os, resource, shutil, subprocess, sys, time
      for name in os.listdir('.'):
          shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
      os.sync()
      t = time.perf_counter()
      subprocess.run(['bash', '-c', sys.argv[1]], check=True, stdout=subprocess.DEVNULL)
      wall = time.perf_counter() - t
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      each = (wall if '\(figure)' == 'wall' else used.ru_utime + used.ru_stime) * 1e6 / \(count)
      print(each, 'us')
      print(used.ru_maxrss / 1024, 'MB')
      """
    let quoted = line.replacing("'", with: #"'\''"#)
    return
      "cd '\(folder.path(percentEncoded: false))' && /usr/bin/python3 -c \"\(script)\" '\(quoted)'"
  }
}
