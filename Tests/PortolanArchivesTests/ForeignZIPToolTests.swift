import Foundation
import PortolanArchives
import PortolanTestSupport
import Testing

/// Archives between this project and other programs.
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ForeignZIPToolTests {
  private let url: URL
  private static let text = Data(String(repeating: "Casco Bay, ", count: 90_000).utf8)
  private static let contents: [(name: String, data: Data)] = [
    ("package.info", Data("{}".utf8)), ("p13/large.txt", text), ("p13/Übersicht 地図", text),
    ("empty", Data()),
  ]

  init() { url = temporaryDirectory.appending(path: "archive.zip") }

  private var path: String { url.path(percentEncoded: false) }

  /// An archive of stored and compressed entries.
  private func write() throws {
    var writer = try ZIPWriter(replacing: url)
    for (name, data) in Self.contents {
      try writer.add(name, data)
      try writer.add("compressed/\(name)", data, method: .deflated(level: 6))
    }
    try writer.finish()
  }

  /// An archive with the 64-bit record at its end.
  private func writeMany() throws {
    var writer = try ZIPWriter(replacing: url)
    for number in 0..<66_000 { try writer.add("\(number)", Data()) }
    try writer.finish()
  }

  private func expectSound(_ tool: String, _ arguments: String...) throws {
    let result = try Tool.run(tool, arguments + [path])
    #expect(result.status == 0, "\(result.output.suffix(500))\(result.errors)")
  }

  @Test(.needsTool("unzip")) func `unzip finds archives sound that were written here`() throws {
    try write()
    try expectSound("unzip", "-tqq")
    try writeMany()
    try expectSound("unzip", "-tqq")
  }

  @Test(.needsPython("zipfile")) func `Python finds archives sound that were written here`() throws
  {
    try write()
    try expectSound("python3", "-m", "zipfile", "-t")
    try writeMany()
    try expectSound("python3", "-m", "zipfile", "-t")
  }

  @Test(.needsPython("zipfile")) func `What Python reads is what was written`() throws {
    try write()
    let script = """
      import sys, zipfile
      for entry in zipfile.ZipFile(sys.argv[1]).infolist():
        print(len(zipfile.ZipFile(sys.argv[1]).read(entry)), entry.filename)
      """
    let result = try Tool.run("python3", ["-X", "utf8", "-c", script, path])
    let expected = Self.contents.flatMap {
      ["\($0.data.count) \($0.name)", "\($0.data.count) compressed/\($0.name)"]
    }
    #expect(result.output.split(separator: "\n").map(String.init) == expected, "\(result.errors)")
  }

  @Test(.needsPython("zipfile"), arguments: ["file", "pipe"])
  func `Archives that Python wrote are read, with 64-bit sizes and sizes behind the contents`(
    _ target: String
  ) throws {
    let script = """
      import io, sys, zipfile
      class Pipe(io.RawIOBase):
        def __init__(self, file): self.file = file
        def writable(self): return True
        def seekable(self): return False
        def write(self, data): return self.file.write(data)
      with open(sys.argv[2], "wb") as file:
        with zipfile.ZipFile(Pipe(file) if sys.argv[1] == "pipe" else file, "w") as archive:
          for method in zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED:
            for wide in False, True:
              entry = zipfile.ZipInfo(f"{method}-{wide}-地図")
              entry.compress_type = method
              with archive.open(entry, "w", force_zip64=wide) as content:
                content.write(b"Casco Bay, " * 90000)
          archive.comment = b"a comment"
      """
    let result = try Tool.run("python3", ["-c", script, target, path])
    #expect(result.status == 0, "\(result.errors)")
    let archive = try ZIPArchive(at: url)
    try archive.checkAgreement()
    #expect(archive.entries.count == 4)
    for entry in archive.entries {
      #expect(try archive.data(of: entry, limit: 1 << 20) == Self.text, "\(entry.name)")
    }
  }

  @Test(.needsTool("zip")) func `An archive that zip wrote to a pipe is read`() throws {
    let file = temporaryDirectory.appending(path: "large.txt")
    try Self.text.write(to: file)
    let command =
      "cd '\(temporaryDirectory.path(percentEncoded: false))' && zip -q - large.txt | cat"
    let result = try Tool.run("sh", "-c", "(\(command)) > '\(path)'")
    #expect(result.status == 0, "\(result.errors)")
    let archive = try ZIPArchive(at: url)
    #expect(try archive.data(named: "large.txt", limit: 1 << 20) == Self.text)
  }
}
