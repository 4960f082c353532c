import Foundation
import PortolanTestSupport
import Testing

@testable import PortolanREPL

@MainActor
@Suite struct CommandFamilyTests {
  private func outcome(_ line: String) async -> (text: String, status: ExitCode) {
    let console = TranscriptConsole(width: 100)
    let session = Session(
      console: console, options: GlobalOptions(), interpreter: Interpreter(.standard))
    let outcome = await session.interpreter.run(line, in: session)
    return (console.transcript, outcome.status)
  }

  @Test func `A family's name alone says what belongs to it`() async throws {
    let (text, status) = await outcome("edit")
    #expect(status == .wrongUsage)
    #expect(text.contains("add, set, move, remove, attach, detach, form, undo"))
  }

  @Test(arguments: ["help edit", "edit --help"])
  func `Help lists the commands of a family`(_ line: String) async throws {
    let (text, status) = await outcome(line)
    #expect(status == .done)
    #expect(text.contains("edit attach"))
    #expect(!text.contains("inspect"))
  }

  @Test(arguments: ["help edit add", "edit add --help"])
  func `Help explains a command of two words`(_ line: String) async throws {
    let (text, status) = await outcome(line)
    #expect(status == .done)
    #expect(text.hasPrefix("edit add LAYER"))
  }

  @Test(arguments: [
    ("create-package", "SPEC"), ("create-package --from a.csv", "SPEC"),
    ("create-package a.json", "OUT.mmpk"),
  ])
  func `A missing argument is reported with the usage of that form of the command`(
    _ line: String, _ missing: String
  ) async throws {
    let (text, status) = await outcome(line)
    #expect(status == .wrongUsage)
    #expect(text.contains("\(missing) is missing."))
    #expect(text.contains("Usage: create-package"))
  }

  @Test func `A command that a family does not have is refused`() async throws {
    let (text, status) = await outcome("edit ad Trails")
    #expect(status == .wrongUsage)
    #expect(text.contains("edit add"))
  }

  @Test(arguments: [
    "edit set Trails twelve A=1", "edit set Trails 12", "edit set Trails 12 =1",
    "edit add Trails --at here", "edit add Trails --at 1,2,3,4", "edit move Trails 1",
    "edit add Trails --at 500,0",
    "edit move Trails 1 --at 1,1 --shape a.json",
  ])
  func `Words that mean nothing are refused before anything is opened`(
    _ line: String
  ) async throws {
    let (text, status) = await outcome(line)
    #expect(status == .wrongUsage)
    #expect(!text.contains("No map is open"))
  }
}
