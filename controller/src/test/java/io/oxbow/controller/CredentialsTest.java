// SPDX-License-Identifier: Apache-2.0
package io.oxbow.controller;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialDeletion;
import org.apache.kafka.common.message.AlterUserScramCredentialsRequestData.ScramCredentialUpsertion;
import org.apache.kafka.common.message.AlterUserScramCredentialsResponseData;
import org.apache.kafka.common.message.ControllerRegistrationRequestData;
import org.apache.kafka.common.message.ControllerRegistrationResponseData;
import org.apache.kafka.common.message.UnregisterControllerRequestData;
import org.apache.kafka.common.message.UnregisterControllerResponseData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.security.scram.internals.ScramFormatter;
import org.apache.kafka.metadata.ScramCredentialData;
import org.junit.jupiter.api.Test;

class CredentialsTest {
    private static final byte SHA_256 = ScramMechanism.SCRAM_SHA_256.type();

    private final SimController controller = SimController.withBrokers();

    private static ScramCredentialUpsertion credential(String user, byte mechanism, int rounds) {
        return new ScramCredentialUpsertion()
                .setName(user)
                .setMechanism(mechanism)
                .setIterations(rounds)
                .setSalt("salt".getBytes(StandardCharsets.UTF_8))
                .setSaltedPassword("salted".getBytes(StandardCharsets.UTF_8));
    }

    private Errors send(AlterUserScramCredentialsRequestData request) {
        AlterUserScramCredentialsResponseData reply = controller.send(request);
        return Errors.forCode(reply.results().getFirst().errorCode());
    }

    private Errors set(ScramCredentialUpsertion... credentials) {
        return send(new AlterUserScramCredentialsRequestData().setUpsertions(List.of(credentials)));
    }

    private Errors delete(String user) {
        return send(
                new AlterUserScramCredentialsRequestData()
                        .setDeletions(
                                List.of(
                                        new ScramCredentialDeletion()
                                                .setName(user)
                                                .setMechanism(SHA_256))));
    }

    @Test
    void shouldKeepTheKeysOfASaltedPassword() throws Exception {
        assertEquals(
                Errors.NONE,
                set(
                        credential("bob", SHA_256, 4_096),
                        credential("bob", ScramMechanism.SCRAM_SHA_512.type(), 4_096)));
        ScramCredentialData kept =
                controller
                        .image()
                        .scram()
                        .mechanisms()
                        .get(ScramMechanism.SCRAM_SHA_256)
                        .get("bob");
        ScramFormatter formatter =
                new ScramFormatter(
                        org.apache.kafka.common.security.scram.internals.ScramMechanism
                                .SCRAM_SHA_256);
        byte[] salted = "salted".getBytes(StandardCharsets.UTF_8);
        assertArrayEquals(formatter.storedKey(formatter.clientKey(salted)), kept.storedKey());
        assertArrayEquals(formatter.serverKey(salted), kept.serverKey());
        assertEquals(4_096, kept.iterations());

        assertEquals(Errors.NONE, delete("bob"));
        assertEquals(Errors.RESOURCE_NOT_FOUND, delete("bob"));
    }

    @Test
    void shouldRefuseWhatCannotBeAndLeaveNothingOfThatUser() {
        assertEquals(Errors.UNACCEPTABLE_CREDENTIAL, set(credential("bob", SHA_256, 4_095)));
        assertEquals(Errors.UNACCEPTABLE_CREDENTIAL, set(credential("bob", SHA_256, 16_385)));
        assertEquals(Errors.UNACCEPTABLE_CREDENTIAL, set(credential("", SHA_256, 4_096)));
        assertEquals(Errors.UNSUPPORTED_SASL_MECHANISM, set(credential("bob", (byte) 9, 4_096)));
        assertEquals(
                Errors.DUPLICATE_RESOURCE,
                set(credential("bob", SHA_256, 4_096), credential("bob", SHA_256, 8_192)));
        assertTrue(controller.image().scram().isEmpty());
    }

    @Test
    void shouldRegisterAndUnregisterControllers() {
        ControllerRegistrationResponseData registered =
                controller.send(
                        new ControllerRegistrationRequestData()
                                .setControllerId(3)
                                .setIncarnationId(SimController.directory(3, 3)));
        assertEquals(0, registered.errorCode());
        assertEquals(Set.of(3), controller.image().cluster().controllers().keySet());
        UnregisterControllerResponseData gone =
                controller.send(new UnregisterControllerRequestData().setControllerId(3));
        assertEquals(0, gone.errorCode());
        assertTrue(controller.image().cluster().controllers().isEmpty());
        UnregisterControllerResponseData again =
                controller.send(new UnregisterControllerRequestData().setControllerId(3));
        assertEquals(Errors.CONTROLLER_ID_NOT_REGISTERED.code(), again.errorCode());
    }
}
