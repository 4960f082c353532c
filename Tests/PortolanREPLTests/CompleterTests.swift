import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@Suite struct CompleterTests {
  private var completer: Completer {
    let source = CompletionSource()
    var snapshot = CompletionSource.Snapshot()
    snapshot.words[.layer] = ["Lighthouses", "Lakes", "Ben \"B\" Trails", "Water Mains", "Ärger"]
    source.update(snapshot)
    return Completer(commands: .sample, source: source)
  }

  /// The line after Tab, and the candidates shown.
  private func tab(_ line: String) -> (line: String, candidates: [String]) {
    let completion = completer.complete(line)
    var scalars = line.unicodeScalars
    scalars.removeLast(completion.removedCount)
    return (String(scalars) + completion.insertion, completion.candidates)
  }

  @Test(arguments: [
    ("vers", "version ", []),
    ("", "", ["help", "run", "completion", "version", "quit", "sample", "fail", "stream", "wait"]),
    ("s", "s", ["sample", "stream"]), ("help sa", "help sample ", []), ("xyz", "xyz", []),
    ("sample f --la", "sample f --layer ", []),
    ("sample f --layer Lig", "sample f --layer Lighthouses ", []),
    ("sample f --layer l", "sample f --layer l", ["Lighthouses", "Lakes"]),
    ("sample f --layer L", "sample f --layer L", ["Lighthouses", "Lakes"]),
    ("sample f --layer=Lig", "sample f --layer=Lighthouses ", []),
    ("sample f --layer wa", "sample f --layer \"Water Mains\" ", []),
    ("sample f --layer \"wa", "sample f --layer \"Water Mains\" ", []),
    ("sample f --layer 'wa", "sample f --layer 'Water Mains' ", []),
    ("sample f --layer=wa", "sample f \"--layer=Water Mains\" ", []),
    ("sample f --layer Ben", "sample f --layer \"Ben \\\"B\\\" Trails\" ", []),
    ("sample f --layer är", "sample f --layer Ärger ", []),
    ("sample f --mode fi", "sample f --mode fine ", []),
    ("sample f --mode f", "sample f --mode f", ["fast", "fine"]),
    ("sample f --all --mode fi", "sample f --all --mode fine ", []),
    ("--js", "--json ", []), ("--json vers", "--json version ", []),
    ("version --o", "version --offline ", []), ("sample \\", "sample \\", []),
  ])
  func `Tab completes what may be there`(line: String, result: String, candidates: [String]) {
    let after = tab(line)
    #expect(after.line == result)
    #expect(after.candidates == candidates)
  }

  @Test(arguments: [
    ("edi", "edit ", []), ("edit se", "edit set ", []), ("help edi", "help edit ", []),
    ("edit a", "edit a", ["add", "attach"]), ("edit remove Lig", "edit remove Lighthouses ", []),
  ])
  func `Tab completes commands of two words`(line: String, result: String, candidates: [String]) {
    let completer = Completer(commands: .standard, source: completer.source)
    let completion = completer.complete(line)
    let kept = line.unicodeScalars.dropLast(completion.removedCount)
    #expect(String(String.UnicodeScalarView(kept)) + completion.insertion == result)
    #expect(completion.candidates == candidates)
  }

  @Test(.temporaryDirectory) func `Tab completes paths`() throws {
    let root = temporaryDirectory.path(percentEncoded: false)
    for folder in ["maps", "my maps"] {
      try FileManager.default.createDirectory(
        atPath: root + "/" + folder, withIntermediateDirectories: true)
    }
    for file in ["maine.mmpk", ".hidden", "my maps/a.tpk"] {
      try Data().write(to: URL(filePath: root + "/" + file))
    }
    #expect(tab("run \(root)/mai").line == "run \(root)/maine.mmpk ")
    #expect(tab("run \(root)/map").line == "run \(root)/maps/")
    #expect(tab("run \(root)/my").line == "run \"\(root)/my maps/")
    #expect(tab("run \"\(root)/my maps/").line == "run \"\(root)/my maps/a.tpk\" ")
    #expect(tab("run \(root)/.h").line == "run \(root)/.hidden ")
    #expect(
      tab("run \(root)/").candidates == ["maine.mmpk", "maps/", "my maps/"].map { root + "/" + $0 })
    #expect(tab("run /nowhere/").candidates.isEmpty)
  }
}
