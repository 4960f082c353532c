internal import Foundation
public import Observation
internal import PortolanJSON
internal import PortolanPortal

/// The screen of the settings.
@MainActor
@Observable
public final class SettingsModel {
  /// The settings in effect, and the values that could not be used; observe this.
  public private(set) var state: Settings

  /// The path of the settings file, for people.
  public var place: String { file.place }

  @ObservationIgnored private let file: any SettingsFile
  @ObservationIgnored private let environment: [String: String]
  @ObservationIgnored private let flags: [SettingKey: String]

  /// Creates the screen with what the file, the environment and the command line say.
  public init(
    file: any SettingsFile, environment: [String: String] = [:],
    flags: [SettingKey: String] = [:]
  ) {
    self.file = file
    self.environment = environment
    self.flags = flags
    state = Self.settings(in: file, environment, flags)
  }

  /// Stores a value; it holds from now on, unless the environment or the command line says more.
  ///
  /// - Throws: A problem if the value is not as expected or cannot be stored.
  public func set(_ key: SettingKey, to text: String) async throws(Problem) {
    guard let value = key.kind.value(typed: text) else {
      throw Problem(.usage, message: "\"\(key.rawValue)\" must be \(key.kind.expectation).")
    }
    // Every command would fail, and none would say that it is for what was set.
    guard key != .portal || (try? PortalURL.candidates(typed: text)) != nil else {
      throw Problem(
        .usage, message: "\"\(key.rawValue)\" must be the address of a portal.",
        suggestion: "For example: https://www.arcgis.com")
    }
    let json = value.json
    try await change { $0[key.rawValue] = json }
  }

  /// Takes a value out of the file.
  ///
  /// - Throws: A problem if that cannot be stored.
  public func unset(_ key: SettingKey) async throws(Problem) {
    try await change { $0[key.rawValue] = nil }
  }

  /// The setting of a name, in small or capital letters.
  ///
  /// - Throws: A problem for a name that no setting has.
  public func key(named name: String) throws(Problem) -> SettingKey {
    guard let key = SettingKey(rawValue: name.lowercased()) else {
      let names = SettingKey.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem(
        message: "There is no setting \"\(name)\".", suggestion: "There are: \(names).",
        kind: .absence)
    }
    return key
  }

  /// Changes the members of the file; those that mean nothing here stay as they are.
  private func change(_ edit: @Sendable (inout JSONObject) -> Void) async throws(Problem) {
    let file = file
    do {
      try await file.exclusively {
        var members = try Self.changeableMembers(of: file)
        edit(&members)
        try file.write(JSONValue.object(members).encoded(.indented))
      }
    } catch {
      throw Problem(error)
    }
    state = Self.settings(in: file, environment, flags)
  }

  private static func settings(
    in file: any SettingsFile, _ environment: [String: String], _ flags: [SettingKey: String]
  ) -> Settings {
    do {
      return Settings(file: try members(of: file), environment: environment, flags: flags)
    } catch {
      return Settings(unreadableFile: reason(error), environment: environment, flags: flags)
    }
  }

  private nonisolated static func changeableMembers(
    of file: any SettingsFile
  ) throws(Problem) -> JSONObject {
    do { return try members(of: file) ?? [:] } catch {
      throw Problem(
        message: "\(file.place) cannot be changed: \(reason(error))",
        suggestion: "Repair or remove it. It must contain one JSON object.")
    }
  }

  private nonisolated static func members(of file: any SettingsFile) throws -> JSONObject? {
    guard let data = try file.read(), !data.isEmpty else { return nil }
    guard let object = try JSONValue(parsing: data).object else {
      throw Problem(message: "it does not contain a JSON object.")
    }
    return object
  }

  private nonisolated static func reason(_ error: any Error) -> String { Problem(error).message }
}
