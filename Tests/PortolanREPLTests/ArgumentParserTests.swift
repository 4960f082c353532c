import Foundation
import Testing

@testable import PortolanREPL

@Suite struct ArgumentParserTests {
  private func sample(_ line: String) throws -> [String: String] {
    let invocation = try Invocation(
      parsing: WordSplitter.words(of: line), commands: .sample, options: GlobalOptions())
    return try #require(invocation.command as? SampleCommand).values
  }

  @Test(arguments: [
    ("sample f", ["file": "f"]),
    ("specimen f", ["file": "f"]),
    ("sample f --all", ["file": "f", "all": "yes"]),
    ("sample --all f", ["file": "f", "all": "yes"]),
    ("sample f --at -68.2,44.3", ["file": "f", "at": "-68.2 44.3"]),
    ("sample f --at=-68.2,44.3", ["file": "f", "at": "-68.2 44.3"]),
    ("sample f --at -.5,.5", ["file": "f", "at": "-0.5 0.5"]),
    ("sample -1.txt", ["file": "-1.txt"]),
    ("sample f -68.2,44.3", ["file": "f", "ids": "-68.2,44.3"]),
    ("sample f --bbox -70,43,-69,44", ["file": "f", "bbox": "-70.0 43.0 -69.0 44.0"]),
    ("sample f --bbox '-70, 43, -69, 44'", ["file": "f", "bbox": "-70.0 43.0 -69.0 44.0"]),
    ("sample -- --all", ["file": "--all"]),
    ("sample f -- -x --all", ["file": "f", "ids": "-x|--all"]),
    ("sample f a b c", ["file": "f", "ids": "a|b|c"]),
    (#"sample f --layer "Water Mains""#, ["file": "f", "layer": "Water Mains"]),
    (#"sample f --layer="Water = Mains""#, ["file": "f", "layer": "Water = Mains"]),
    ("sample f --limit 100 --mode FAST", ["file": "f", "limit": "100", "mode": "fast"]),
    ("sample f --json --quiet", ["file": "f"]),
    ("--json sample --quiet f", ["file": "f"]),
  ])
  func `Words find their parameters`(line: String, values: [String: String]) throws {
    #expect(try sample(line) == values)
  }

  @Test(arguments: [
    ("sample", "FILE is missing."),
    ("sample f --frob", "There is no option --frob here."),
    ("sample f -x", "There is no option -x here."),
    ("sample f --layer", "--layer needs a value."),
    ("sample f --layer --all", "--layer needs a value."),
    ("sample f --layer=a --layer=b", "--layer is given twice."),
    ("sample f --all=yes", "--all takes no value, but has \"yes\"."),
    ("sample f --limit 0", "--limit is \"0\"; it must be a whole number from 1 to 100."),
    ("sample f --limit x", "--limit is \"x\"; it must be a whole number from 1 to 100."),
    (
      "sample f --at 1",
      "--at is \"1\"; it must be a longitude and a latitude, in this order, such as -68.2,44.3."
    ),
    (
      "sample f --at 0,91",
      "--at is \"0,91\"; it must be a longitude and a latitude, in this order, such as -68.2,44.3."
    ),
    (
      "sample f --at nan,1",
      "--at is \"nan,1\"; it must be a longitude and a latitude, in this order, such as -68.2,44.3."
    ),
    (
      "sample f --bbox 1,2,0",
      "--bbox is \"1,2,0\"; it must be four numbers, west,south,east,north, such as "
        + "-69,43.5,-68,44.5."
    ),
    (
      "sample f --bbox 170,2,-170,4.5",
      "--bbox is \"170,2,-170,4.5\"; its west edge, 170, lies east of its east edge, -170."
    ),
    (
      "sample f --bbox 1,4,2,-0.5",
      "--bbox is \"1,4,2,-0.5\"; its south edge, 4, lies north of its north edge, -0.5."
    ),
    (
      "sample f --bbox 200,0,210,1",
      "--bbox is \"200,0,210,1\"; its west edge, 200, is no longitude: these go from -180 to 180."
    ),
    (
      "sample f --bbox 0,0,1,95",
      "--bbox is \"0,0,1,95\"; its north edge, 95, is no latitude: these go from -90 to 90."
    ),
    ("sample f --mode slow", "--mode is \"slow\"; it must be \"fast\" or \"fine\"."),
    ("version x", "\"x\" is an argument too many."),
    ("versoin", "There is no command \"versoin\"."),
    ("--frob version", "There is no option --frob here."),
    ("--portal ftp://x version", "--portal is \"ftp://x\"; it must be the address of a portal."),
    ("--portal '' version", "--portal is \"\"; it must be the address of a portal."),
  ])
  func `Input that cannot be understood is named`(line: String, message: String) throws {
    let error = #expect(throws: UsageError.self) { try sample(line) }
    #expect(error?.message == message)
  }

  @Test(arguments: [
    (["a"], #""a""#), (["a", "b"], #""a" or "b""#), (["a", "b", "c"], #""a", "b" or "c""#),
  ])
  func `The words of a choice are listed as in a sentence`(_ words: [String], _ text: String) {
    #expect(ValueFormat<String>.choice(words).expectation == text)
  }

  @Test(arguments: [
    ("sample f --lyer x", "Did you mean \"--layer\"?"), ("versoin", "Did you mean \"version\"?"),
    ("--jsno version", "Did you mean \"--json\"?"), ("specimne f", "Did you mean \"specimen\"?"),
    (
      "sample",
      "Usage: sample FILE [ID...] [--layer NAME] [--at LON,LAT] [--bbox W,S,E,N] "
        + "[--limit N] [--mode MODE] [--all]"
    ),
  ])
  func `The probable intention is suggested`(line: String, suggestion: String) throws {
    let error = #expect(throws: UsageError.self) { try sample(line) }
    #expect(error?.suggestion == suggestion)
  }

  @Test func `A home that is a file is refused, whatever it is named through`() throws {
    let file = #filePath
    let error = #expect(throws: UsageError.self) {
      _ = try GlobalOptions.folder(file, named: "The home folder")
    }
    #expect(error?.message == "The home folder is \"\(file)\", which is a file.")
    for inside in ["\(file)/x", "\(file)/x/y/"] {
      let error = #expect(throws: UsageError.self) {
        _ = try GlobalOptions.folder(inside, named: "The home folder")
      }
      #expect(error?.message == "The home folder is \"\(inside)\", but \"\(file)\" is a file.")
    }
    let folder = URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false)
    #expect(try GlobalOptions.folder(folder, named: "x") == folder)
    #expect(try GlobalOptions.folder("/nowhere/at all", named: "x") == "/nowhere/at all")
  }

  @Test func `An empty home is refused, which would be the present folder`() {
    let error = #expect(throws: UsageError.self) {
      try Invocation(
        parsing: ["--home", "", "version"], commands: .sample, options: GlobalOptions())
    }
    #expect(error?.message == "--home is \"\"; it must be the path of a folder.")
  }

  @Test func `Options of every command may precede or follow its name`() throws {
    let words = [
      "--home", "/h", "--portal=example.org/portal", "version", "--json", "--offline", "--yes",
      "--quiet", "--no-color",
    ]
    let options = try Invocation(
      parsing: words, commands: .sample, options: GlobalOptions()
    ).options
    var expected = GlobalOptions()
    expected.home = "/h"
    expected.portal = .init(string: "https://example.org/portal")
    expected.format = .json
    expected.isOffline = true
    expected.assumesYes = true
    expected.isQuiet = true
    expected.refusesColor = true
    #expect(options == expected)
  }

  @Test(arguments: [
    ("localhost:8080", "http://localhost:8080"), ("127.0.0.1:80/p", "http://127.0.0.1:80/p"),
    ("[::1]:8080", "http://[::1]:8080"), ("demo.localhost", "http://demo.localhost"),
    ("localhost.example.org", "https://localhost.example.org"),
    ("https://localhost:7443", "https://localhost:7443"),
  ])
  func `A portal on this machine is asked without encryption unless its scheme is given`(
    typed: String, address: String
  ) throws {
    let words = ["--portal", typed, "version"]
    let options = try Invocation(
      parsing: words, commands: .sample, options: GlobalOptions()
    ).options
    #expect(options.portal?.absoluteString == address)
  }

  @Test(arguments: ["--help", "-h", "sample --help", "sample --frob=1 --help"])
  func `Help needs no arguments, but known options`(line: String) throws {
    let words = try WordSplitter.words(of: line)
    let parse = {
      try Invocation(parsing: words, commands: .sample, options: GlobalOptions()).command
    }
    if line.contains("frob") {
      #expect(throws: UsageError.self) { _ = try parse() }
    } else {
      #expect(try parse() is HelpCommand)
    }
  }

  @Test func `No command takes an option that every command has, or hides another`() {
    let globals = Set(GlobalOptions.parameters.map(\.name))
    var names: Set<String> = []
    for declaration in CommandTable.standard.declarations {
      #expect(globals.isDisjoint(with: declaration.options.map(\.name)), "\(declaration.name)")
      for name in [declaration.name] + declaration.aliases {
        #expect(names.insert(name).inserted, "\(name)")
      }
      let early = declaration.arguments.dropLast()
      #expect(early.allSatisfy { !$0.isRepeatable }, "\(declaration.name)")
    }
  }
}
