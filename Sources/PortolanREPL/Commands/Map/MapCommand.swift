internal import Foundation
internal import PortolanApp

/// A command on the open map, which outside of a session is named by `--map`.
protocol MapCommand: Command {
  /// The map, if the line names one.
  var choice: MapChoice { get }

  /// Whether a map that the line names stays open where none was, so that the next line can continue
  /// with it.
  static var keepsMapOpen: Bool { get }

  /// Does the work on the open map.
  @MainActor func run(on map: MapModel, in session: Session) async throws -> CommandResult

  /// Does the work on all maps of the open package, of which the line names none.
  ///
  /// - Returns: `nil` for commands that are about one map.
  @MainActor func runOnAllMaps(in session: Session) async throws -> CommandResult?
}

extension MapCommand {
  static var keepsMapOpen: Bool { true }

  @MainActor func runOnAllMaps(in session: Session) async throws -> CommandResult? { nil }

  @MainActor func run(in session: Session) async throws -> CommandResult {
    guard
      let source = try await choice.source(
        besideOpenMapOf: session, keepsOpen: Self.keepsMapOpen)
    else {
      return try await run(opened: choice.map(in: session), in: session)
    }
    let beside = session.beside()
    do {
      let result = try await run(opened: choice.open(source, in: beside), in: beside)
      await beside.app.close()
      return result
    } catch {
      await beside.app.close()
      throw error
    }
  }

  /// Does the work on all maps of the open package if the line names the package and none of them, else on
  /// the open one.
  @MainActor private func run(
    opened map: MapModel, in session: Session
  ) async throws -> CommandResult {
    if choice.namesWholePackage, session.app.packageSearch.hasSeveralMaps,
      let result = try await runOnAllMaps(in: session)
    {
      return result
    }
    return try await run(on: map, in: session)
  }
}

/// The map that a command is about: the open one, or one that its line names.
struct MapChoice: Sendable {
  static let map = Parameter.option(
    "map", "MAP",
    "A map of the list, or the package, folder, geodatabase, GeoPackage or tile package with the "
      + "map.",
    completion: .mapOrFile)
  static let number = Parameter.option(
    "number", "N",
    "The number of the map in the package, from 1; the first that can be opened unless given.")

  private let source: MapSource?
  /// The index of the map in the package, from 0; the first that can be opened if `nil`.
  private let index: Int?

  /// Whether the line says which map of a package it is about.
  var choosesOneMap: Bool { index != nil }

  /// Whether the line names a package, and none of its maps.
  var namesWholePackage: Bool { source != nil && index == nil }

  /// Reads which map a line is about.
  ///
  /// - Parameters:
  ///   - arguments: The words of the line.
  ///   - argument: Where the map may be named without `--map`.
  /// - Throws: A usage error if the line names it twice, or names no map.
  init(_ arguments: Arguments, orAt argument: Parameter? = nil) throws(UsageError) {
    var source = try arguments.value(of: Self.map, as: .mapSource)
    if let argument, let named = try arguments.value(of: argument, as: .mapSource) {
      guard source == nil else {
        throw UsageError("The map is named twice.", suggestion: "Leave --map out.")
      }
      source = named
    }
    self.source = source
    index = try arguments.value(of: Self.number, as: .integer(in: 1...10_000)).map { $0 - 1 }
  }

  /// The map that the line names, if another one is open, which stays as it is, or the map is to be
  /// closed afterwards.
  @MainActor func source(
    besideOpenMapOf session: Session, keepsOpen: Bool = true
  ) async throws -> MapSource? {
    guard session.app.map != nil || !keepsOpen, let source else { return nil }
    return try await source.isOpen(map: index, in: session) ? nil : source
  }

  /// The map; where none is open, a map that the line names is opened first and stays open.
  @MainActor func map(in session: Session) async throws -> MapModel {
    if session.app.map == nil, let source {
      _ = try await source.open(map: index, in: session)
      session.noteWarnings()
      session.offerWords()
    }
    guard let map = session.app.map else {
      throw session.noMapOpen(
        orTo: "name one with --map MAP.", atShell: "Name one with --map MAP.")
    }
    return map
  }

  /// Opens a map for one command.
  @MainActor func open(_ source: MapSource, in session: Session) async throws -> MapModel {
    _ = try await source.open(map: index, in: session)
    session.noteWarnings()
    guard let map = session.app.map else { throw CancellationError() }
    return map
  }
}

extension Session {
  /// The failure of a command on the open map when none is open.
  ///
  /// - Parameters:
  ///   - other: What can be done at the prompt besides opening one, if anything.
  ///   - advice: What to do at the shell, where a map that "open" opens is closed at once.
  /// - Returns: The error.
  func noMapOpen(orTo other: String? = nil, atShell advice: String) -> UsageError {
    let opening = "Open one with \"open MAP\"" + (other.map { ", or \($0)" } ?? ".")
    return UsageError("No map is open.", suggestion: keepsMap ? opening : advice)
  }

  /// Tells what people should know of the package that was opened for one command, such as that its
  /// date has passed; "open" says it in its document.
  @MainActor func noteWarnings() {
    guard app.mapIndex != nil else { return }
    for warning in app.package.contents?.warnings ?? [] { presenter.note(warning) }
  }
}
