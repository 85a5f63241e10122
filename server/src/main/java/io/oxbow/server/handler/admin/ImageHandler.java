// SPDX-License-Identifier: Apache-2.0
package io.oxbow.server.handler.admin;

import io.oxbow.metadata.ImageSource;
import io.oxbow.server.api.ApiHandler;
import io.oxbow.server.api.Request;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.kafka.common.message.DescribeClientQuotasRequestData;
import org.apache.kafka.common.message.DescribeUserScramCredentialsRequestData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.image.MetadataImage;

/** One key whose answer is a function of the request and the latest image. */
public final class ImageHandler implements ApiHandler {
    private final ApiKeys key;
    private final ImageSource images;
    private final BiFunction<MetadataImage, ApiMessage, ApiMessage> answer;

    private ImageHandler(
            ApiKeys key,
            ImageSource images,
            BiFunction<MetadataImage, ApiMessage, ApiMessage> answer) {
        this.key = key;
        this.images = images;
        this.answer = answer;
    }

    /** Client quotas and SCRAM credentials: the image library describes them itself. */
    public static List<ApiHandler> all(ImageSource images) {
        return List.of(
                new ImageHandler(
                        ApiKeys.DESCRIBE_CLIENT_QUOTAS,
                        images,
                        (image, body) ->
                                image.clientQuotas()
                                        .describe((DescribeClientQuotasRequestData) body)),
                new ImageHandler(
                        ApiKeys.DESCRIBE_USER_SCRAM_CREDENTIALS,
                        images,
                        (image, body) ->
                                image.scram()
                                        .describe((DescribeUserScramCredentialsRequestData) body)));
    }

    @Override
    public ApiKeys key() {
        return key;
    }

    @Override
    public void handle(Request request) {
        request.reply(answer.apply(images.image(), request.body()));
    }
}
