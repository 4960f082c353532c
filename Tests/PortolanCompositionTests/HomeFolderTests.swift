import Foundation
import PortolanComposition
import PortolanTestSupport
import Testing

@Suite struct HomeFolderTests {
  @Test(arguments: [
    (nil, ["HOME": "/home/ada"], "/home/ada/.local/share/portolan"),
    (nil, ["HOME": "/home/ada", "XDG_DATA_HOME": "/data"], "/data/portolan"),
    (nil, ["HOME": "/home/ada", "XDG_DATA_HOME": "data"], "/home/ada/.local/share/portolan"),
    (nil, ["HOME": "/home/ada", "XDG_DATA_HOME": ""], "/home/ada/.local/share/portolan"),
    (nil, ["PORTOLAN_HOME": "/maps", "XDG_DATA_HOME": "/data"], "/maps"),
    ("/given", ["PORTOLAN_HOME": "/maps", "XDG_DATA_HOME": "/data"], "/given"),
    ("~/maps", ["HOME": "/home/ada"], "/home/ada/maps"),
    (nil, ["HOME": "/home/ada", "PORTOLAN_HOME": "~/maps"], "/home/ada/maps"),
  ])
  func `The folder is found in the order of the manual`(
    option: String?, environment: [String: String], path: String
  ) {
    let home = HomeFolder(option: option, environment: environment)
    #expect(home.url.standardizedFileURL.path(percentEncoded: false).hasPrefix(path))
    #expect(home.url.pathComponents == URL(filePath: path).pathComponents)
  }

  @Test(.temporaryDirectory) func `The folder is made for its owner only`() throws {
    let path = temporaryDirectory.appending(path: "a b/portolan").path(percentEncoded: false)
    let home = HomeFolder(option: path, environment: [:])
    #expect(!FileManager.default.fileExists(atPath: path))
    try home.create()
    try home.create()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
  }
}
