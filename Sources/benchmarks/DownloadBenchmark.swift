import Foundation
import PortolanTransport

/// A file of 1 GB over HTTP onto the disk, synced.
///
/// Each contender runs as a process of its own, as at a terminal; ours is this program with the
/// fetch command.
struct DownloadBenchmark: BenchmarkSuite {
  let name = "download"

  private static let address = "http://127.0.0.1:8090/big.bin"

  func run(_ bed: BenchmarkBed) async throws {
    let folder = bed.data("out")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let jobs = Self.jobs(in: folder.path(percentEncoded: false))
    for (figure, unit) in [("wall", "time"), ("cpu", "processor time")] {
      await Contest(
        job: "A file of 1 GB onto the disk, \(unit) for each MB",
        contenders: jobs.map { name, line in
          .command(name, Self.measured(line, in: folder, figure), /([\d.]+) us/)
        }
      ).run(on: bed)
    }
    print("\n| | memory at most |\n|---|--:|")
    for (name, line) in jobs {
      let memory = Contender.command(
        name, Self.measured(line, in: folder, "wall"), /([\d.]+) MB/)
      print("| \(name) | \(Int(try await memory.measure())) MB |")
    }
  }

  private static func jobs(in folder: String) -> [(String, String)] {
    let program = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
      .path(percentEncoded: false)
    let sync = "sync big.bin"
    return [
      ("Portolan", "'\(program)' --fetch=\(address) --to='\(folder)/big.bin'"),
      (
        "Portolan, with SHA-256",
        "'\(program)' --fetch=\(address) --to='\(folder)/big.bin' --sha256"
      ),
      ("wget2", "wget2 -q -O big.bin \(address) && \(sync)"),
      ("curl -o", "curl -so big.bin \(address) && \(sync)"),
      ("aria2c -x1", "aria2c -q -x1 --file-allocation=none -o big.bin \(address) && \(sync)"),
      ("aria2c -x4", "aria2c -q -x4 -s4 --file-allocation=none -o big.bin \(address) && \(sync)"),
      ("curl to nowhere, the limit of the wire", "curl -so /dev/null \(address)"),
    ]
  }

  /// A line that runs a command and prints what a megabyte took.
  private static func measured(_ line: String, in folder: URL, _ figure: String) -> String {
    let script = """
      import os, resource, subprocess, sys, time
      for name in os.listdir('.'):
          os.remove(name)
      os.sync()
      t = time.perf_counter()
      subprocess.run(['bash', '-c', sys.argv[1]], check=True)
      wall = time.perf_counter() - t
      used = resource.getrusage(resource.RUSAGE_CHILDREN)
      if os.path.exists('big.bin') and os.path.getsize('big.bin') != 1000000000:
          sys.exit('the file is not whole')
      print((wall if '\(figure)' == 'wall' else used.ru_utime + used.ru_stime) * 1000, 'us')
      print(used.ru_maxrss / 1024, 'MB')
      """
    let quoted = line.replacing("'", with: #"'\''"#)
    return
      "cd '\(folder.path(percentEncoded: false))' && /usr/bin/python3 -c \"\(script)\" '\(quoted)'"
  }
}
