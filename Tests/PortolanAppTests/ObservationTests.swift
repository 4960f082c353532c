import Foundation
import PortolanApp
import PortolanFeatures
import PortolanGeometry
import PortolanJSON
import PortolanMap
import PortolanPackages
import PortolanRendering
import PortolanTestSupport
import Testing

/// Each screen of an open map, through `Observations` alone.
@MainActor
@Suite(.temporaryDirectory, .timeLimit(.minutes(5))) struct ObservationTests {
  private func map() async throws -> MapModel {
    let memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]], isEditable: true)
    let model = MapModel(
      map: try memory.map([MemoryMap.layer("a")]), origin: temporaryDirectory,
      drawing: PictureDrawing())
    await model.load()
    return model
  }

  @Test func `A map shows that its layers are there, and where it was moved to`() async throws {
    let memory = MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]])
    let model = MapModel(map: try memory.map([MemoryMap.layer("a"), MemoryMap.layer("gone")]))
    let loading = try await Observed.states {
      model.state
    } until: {
      $0.isLoaded
    } while: {
      await model.load()
    }
    #expect(loading.first?.isLoaded == false)
    #expect(loading.last?.problems["gone"] == "There are no data.")
    let moving = try await Observed.states {
      model.state
    } until: {
      $0.frame.scale == 5000
    } while: {
      model.setScale(5000)
    }
    #expect(moving.map(\.frame.scale) == [1000, 5000])
    #expect(Set(moving.map(\.drawingRevision)).count == 1)
  }

  @Test func `The table of contents and the drawing revision follow a layer that is switched off`()
    async throws
  {
    let model = try await map()
    let before = model.state.drawingRevision
    let entries = try await Observed.states {
      model.tableOfContents.state
    } until: {
      $0.layers.first?.isOn == false
    } while: {
      model.tableOfContents.setOn("a", false)
    }
    #expect(entries.map { $0.layers.first?.isOn } == [true, false])
    #expect(model.state.drawingRevision > before)
  }

  @Test func `Identify shows what was found, and its popups a page each`() async throws {
    let model = try await map()
    let found = try await Observed.states {
      model.identify.state
    } until: {
      if case .found = $0 { true } else { false }
    } while: {
      await model.identify.identify(longitude: 0, latitude: 0)
    }
    #expect(found.first == .idle && found.last?.results.map(\.id) == ["a"])
    let selected = try await Observed.states {
      model.popups.state
    } until: {
      $0.selection != nil
    } while: {
      try await model.popups.select(0)
    }
    #expect(selected.first?.pages.map(\.title) == ["a 1"])
    #expect(selected.last?.selection?.popup.title == "a 1")
  }

  @Test func `A bookmark that was gone to is the selected one`() async throws {
    let model = try await map()
    let states = try await Observed.states {
      model.bookmarks.state
    } until: {
      $0.selection != nil
    } while: {
      try model.bookmarks.go(to: 0)
    }
    #expect(states.map(\.selection) == [nil, 0])
  }

  @Test func `The legend follows the scale`() async throws {
    let layer = MemoryMap.layer("a", ["layerDefinition": ["minScale": 2000]])
    let model = MapModel(
      map: try MemoryMap(features: ["a": [Coordinate(x: 0, y: 0)]]).map([layer]))
    await model.load()
    let isOn = model.tableOfContents.state.layers.first?.isVisible
    let states = try await Observed.states {
      model.tableOfContents.state
    } until: {
      $0.layers.first?.isVisible == false
    } while: {
      model.setScale(5000)
    }
    #expect(isOn == true && states.last?.layers.first?.isVisible == false)
    #expect(model.legend.state.sections.isEmpty)
  }

  @Test func `Searching goes from preparing to what was found`() async throws {
    let model = try await map()
    let states = try await Observed.states {
      model.search.state
    } until: {
      !$0.places.isEmpty
    } while: {
      await model.search.find("a 1")
    }
    #expect(states.first == .idle)
    #expect(states.last?.places.map(\.label) == ["a 1"])
    #expect(states.last?.places.first?.feature?.objectID == 1)
  }

  @Test func `Edits count what can be undone, and a form says what is wrong`() async throws {
    let model = try await map()
    let form = try await model.editing.form(for: 1, in: "a")
    let typing = try await Observed.states {
      form.state
    } until: {
      $0.isChanged
    } while: {
      try form.setText("camp", of: "NAME")
    }
    #expect(typing.map(\.canSubmit) == [false, true])
    let editing = try await Observed.states {
      model.editing.state
    } until: {
      $0.undoCount == 1
    } while: {
      _ = try await form.submit()
    }
    #expect(editing.last?.lastEdit?.objectID == 1)
    let undone = try await Observed.states {
      model.editing.state.undoCount
    } until: {
      $0 == 0
    } while: {
      _ = try await model.editing.undo()
    }
    #expect(undone == [1, 0])
  }

  @Test func `A picture is drawn, and one that cannot be fails`() async throws {
    let model = try await map()
    let states = try await Observed.states {
      model.snapshot.state
    } until: {
      if case .drawn = $0 { true } else { false }
    } while: {
      var options = SnapshotModel.Options()
      (options.width, options.height) = (64, 48)
      _ = try await model.snapshot.draw(options)
    }
    guard case .drawn(let picture) = states.last else {
      Issue.record("nothing was drawn")
      return
    }
    #expect(picture.width == 64 && picture.height == 48)
    let failing = try await Observed.states {
      model.snapshot.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      var options = SnapshotModel.Options()
      options.width = -1
      await #expect(throws: Problem.self) { try await model.snapshot.draw(options) }
    }
    #expect(failing.count >= 2)
  }

  @Test func `A conversion ends as done or as failed, and can begin again`() async throws {
    let model = ConversionModel(opener: NoFiles())
    let states = try await Observed.states {
      model.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      await #expect(throws: Problem.self) {
        try await model.convert(
          .init(
            temporaryDirectory.appending(path: "a.geodatabase"),
            to: temporaryDirectory.appending(path: "a.gpkg")))
      }
    }
    #expect(states.first == .idle && states.last?.canConvert == true)
  }

  @Test func `Opening a package that is not there is a failure, and what was open stays`()
    async throws
  {
    let model = PackageModel(opener: FilePackageOpener(unpackingInto: temporaryDirectory))
    let states = try await Observed.states {
      model.state
    } until: {
      if case .failed = $0 { true } else { false }
    } while: {
      await model.open(temporaryDirectory.appending(path: "none.mmpk"))
    }
    #expect(states.first == .closed && model.contents == nil)
  }
}

/// Has no file.
private struct NoFiles: FileOpening {
  func open(_ url: URL) async throws -> OpenedFile {
    throw InspectionError.noSuchFile(file: url.lastPathComponent)
  }
}
