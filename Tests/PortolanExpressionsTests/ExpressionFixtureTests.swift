import PortolanJSON
import PortolanTestSupport
import Testing

@testable import PortolanExpressions

/// The cases of the style specification, all of them.
@Suite(.needsSharedFiles) struct ExpressionFixtureTests {
  /// Cases that are reported as not supported, with the reason; none is evaluated wrongly.
  static let unsupported: [String: String] = [:]

  @Test func `All cases are there`() { #expect(ExpressionFixture.all.count >= 442) }

  @Test(arguments: ExpressionFixture.all)
  func `An expression is refused or compiled as the specification says`(
    _ fixture: ExpressionFixture
  ) throws {
    guard Self.unsupported[fixture.name] == nil else { return }
    do throws(ExpressionProblems) {
      let expression = try fixture.expression()
      #expect(!fixture.isRefused, "it should be refused")
      guard !fixture.isRefused else { return }
      #expect(expression.typeName == fixture.compiled?["type"]?.string)
      #expect(expression.isFeatureConstant == fixture.compiled?["isFeatureConstant"]?.bool)
      #expect(expression.isZoomConstant == fixture.compiled?["isZoomConstant"]?.bool)
    } catch {
      #expect(fixture.isRefused, "\(error.summary)")
    }
  }

  @Test(arguments: ExpressionFixture.all.filter { !$0.isRefused })
  func `An expression has the values that the specification says`(
    _ fixture: ExpressionFixture
  ) throws {
    guard Self.unsupported[fixture.name] == nil else { return }
    let expression = try fixture.expression()
    for (input, expected) in zip(fixture.inputs, fixture.outputs) {
      do throws(EvaluationFault) {
        let found = try expression.value(fixture.context(input)).fixtureJSON
        #expect(found.isNear(expected), "\(found.text()) is not \(expected.text())")
      } catch {
        #expect(expected["error"] != nil, "\(error.message) instead of \(expected.text())")
      }
    }
  }

  @Test(arguments: unsupported.keys.sorted())
  func `Unsupported parts are reported`(_ name: String) throws {
    let fixture = try #require(ExpressionFixture.all.first { $0.name == name })
    #expect(throws: ExpressionProblems.self) { try fixture.expression() }
  }
}
