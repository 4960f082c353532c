import Foundation
import PortolanApp
import Testing

@testable import PortolanWeb

/// The one table of the page's texts, and the modules that ask for them.
@Suite struct PageTextTests {
  private let modules: [String: String]
  private let keys: Set<String>

  init() throws {
    let folder = try #require(PageFiles.folder)
    let files = try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let scripts = files.filter { $0.pathExtension == "js" }
    modules = try Dictionary(
      uniqueKeysWithValues: scripts.map {
        ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
      })
    let table = try #require(modules["texts-en.js"])
    keys = Set(
      table.split(separator: "\n").compactMap { line in
        line.firstMatch(of: /^  "([^"]+)":/).map { String($0.1) }
      })
  }

  @Test func `Every text that a module names is in the table`() throws {
    for (name, module) in modules where !name.hasPrefix("texts") {
      for match in module.matches(of: /\bt\(\s*"([^"]+)"/) {
        #expect(keys.contains(String(match.1)), "\(name)")
      }
    }
    #expect(keys.count > 500)
  }

  @Test(arguments: SettingKey.allCases)
  func `Every setting has a name and a hint, and each of its choices a name`(_ key: SettingKey) {
    let name = "setting.\(key.rawValue)"
    #expect(keys.contains(name) && keys.contains("\(name).hint"))
    guard case .choice(let words) = key.kind else { return }
    for word in words { #expect(keys.contains("\(name).\(word)")) }
  }

  @Test func `Every state that a page module subscribes to is published`() throws {
    let events = try #require(modules["events.js"])
    let listed = try #require(events.firstMatch(of: /const names = \[([^\]]*)\]/))
    let names = Set(listed.1.matches(of: /"(\w+)"/).map { String($0.1) })
    for (name, module) in modules {
      for match in module.matches(of: /\bsubscribe\("(\w+)"/) {
        #expect(names.contains(String(match.1)), "\(name)")
      }
    }
    #expect(names.isSuperset(of: ["settings", "sharing"]))
  }
}
