import Foundation

/// Bringing a package of two gigabytes into the library: what is read of it, beside copying it.
struct ImportBenchmark: BenchmarkSuite {
  let name = "import"

  /// The size of what is in the package besides its map.
  private static let size = 2_000_000_000

  func run(_ bed: BenchmarkBed) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "portolan-benchmarks")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let package = folder.appending(path: "large.mmpk")
    if !FileManager.default.fileExists(atPath: package.path(percentEncoded: false)) {
      try await make(in: folder)
    }
    let portolan = MeasuredCommand.portolan
    let size = try package.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let commands = [
      (
        "import",
        [
          "bash", "-c", "rm -rf home; exec \(portolan) import large.mmpk --home home --quiet",
        ]
      ), ("cp", ["bash", "-c", "rm -f copy.mmpk; exec cp --reflink=never large.mmpk copy.mmpk"]),
      ("sha256sum", ["sha256sum", "large.mmpk"]),
    ].map { MeasuredCommand($0, $1, in: folder, count: 1) }
    await Contest(
      job: "Importing a package of \(size / 1_000_000) MB", contenders: commands.map(\.contender)
    ).run(on: bed)
    print("\n| | read | memory at most |\n|---|--:|--:|")
    for command in commands {
      let (read, memory) = (try await command.bytesRead(), try await command.memory())
      print("| \(command.name) | \(Int(read)) MB | \(Int(memory)) MB |")
    }
  }

  /// The worked example of making packages, with a large file that no map shows.
  private func make(in folder: URL) async throws {
    let portolan = MeasuredCommand.portolan
    let line = """
      cd '\(folder.path(percentEncoded: false))' && rm -rf example && \
      \(portolan) create-package --example example --quiet && \
      \(portolan) create-package example/naperville-water-company-mapbook.json small.mmpk \
        --yes --quiet && \
      python3 -c "
      import os, zipfile
      with zipfile.ZipFile('small.mmpk', 'a', zipfile.ZIP_STORED) as z:
          with z.open('p30/large.bin', 'w', force_zip64=True) as f:
              for _ in range(\(Self.size) >> 20): f.write(os.urandom(1 << 20))
      " && mv small.mmpk large.mmpk && echo 1 us
      """
    _ = try await Contender.command("making it", line, /([\d.]+) us/).measure()
  }
}
